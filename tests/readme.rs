//! What the README shows is what the program prints.

use std::process::Command;

/// The commands of the README's `console` blocks, each with the output that is shown for it.
fn shown() -> Vec<(String, String)> {
    let readme = include_str!("../README.md");
    let mut shown: Vec<(String, String)> = Vec::new();
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for line in block.lines() {
            match line.strip_prefix("$ ") {
                Some(command) => shown.push((command.to_owned(), String::new())),
                None => {
                    let (_, output) = shown.last_mut().expect("a block begins with a command");
                    output.push_str(line.trim_end());
                    output.push('\n');
                }
            }
        }
    }
    shown
}

#[test]
fn every_command_of_the_tour_prints_what_the_readme_says() {
    let mut commands = 0;
    for (command, wanted) in shown() {
        let words = shell_words::split(&command).unwrap();
        assert_eq!(words[0], "pods", "{command}");
        let ran = Command::new(env!("CARGO_BIN_EXE_pods"))
            .args(&words[1..])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        let trimmed = |text: String| text.lines().map(|line| format!("{}\n", line.trim_end())).collect::<String>();
        assert_eq!(trimmed(String::from_utf8(ran.stdout).unwrap()), wanted, "{command}");
        assert_eq!(String::from_utf8(ran.stderr).unwrap(), "", "{command}");
        commands += 1;
    }
    assert!(commands >= 5, "{commands} commands");
}
