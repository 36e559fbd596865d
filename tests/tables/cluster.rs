//! Tables built by several processes: the same bytes, also after kills, and a clear end where they
//! cannot go on together.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use crate::common::{Random, program, wait_a_moment};
use pods::position::{Game, Hand, Setup};
use pods::table::{Index, TablePlan, table_path};
use tempfile::{TempDir, tempdir};

pub fn whole_hands(game: &Game) -> [Hand; 2] {
    [Hand::whole(game.pods()); 2]
}

pub fn bytes(name: &Path) -> Vec<u8> {
    fs::read(table_path(name)).unwrap()
}

/// Processes of the command that build one table, each with a number of its own.
pub struct Started {
    folder: TempDir,
    setup: Vec<String>,
    processes: usize,
}

impl Started {
    pub fn new(setup: &[&str], processes: usize) -> Started {
        let setup = setup.iter().map(|&word| word.to_owned()).collect();
        Started { folder: tempdir().unwrap(), setup, processes }
    }

    pub fn name(&self) -> PathBuf {
        self.folder.path().join("t")
    }

    /// Returns a list of hosts with ports that nobody has.
    pub fn hosts(&self) -> PathBuf {
        let free: Vec<TcpListener> = (0..self.processes).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let lines: Vec<String> = free.iter().map(|port| format!("{}\n", port.local_addr().unwrap())).collect();
        let path = self.folder.path().join("hosts");
        fs::write(&path, format!("# this machine\n{}", lines.concat())).unwrap();
        path
    }

    /// Returns the command of a process; `shell` is run before it in the same process.
    pub fn command(&self, hosts: &Path, process: usize, shell: &str, more: &[&str]) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{shell} exec \"$@\""), "sh", env!("CARGO_BIN_EXE_pods"), "table", "build"]);
        command.arg(self.name()).args(&self.setup).args(["--threads", "1", "--checkpoint", "0", "--stream"]);
        command.args(["-n", &self.processes.to_string(), "-p", &process.to_string(), "--hosts"]).arg(hosts).args(more);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn start(&self, more: &[&str]) -> Vec<Child> {
        let hosts = self.hosts();
        (0..self.processes).map(|process| self.command(&hosts, process, "", more).spawn().unwrap()).collect()
    }

    /// Counts the bytes of the logs and parts of the build.
    fn grown(&self) -> u64 {
        let Ok(files) = fs::read_dir(self.folder.path().join("t.building")) else { return 0 };
        files.flatten().filter_map(|file| file.metadata().ok()).map(|of_file| of_file.len()).sum()
    }
}

pub fn ended(children: Vec<Child>) -> Vec<Output> {
    children.into_iter().map(|child| child.wait_with_output().unwrap()).collect()
}

pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn command_alone(name: &Path, setup: &[&str]) -> Vec<u8> {
    let mut command = program();
    assert!(command.args(["table", "build"]).arg(name).args(setup).output().unwrap().status.success());
    bytes(name)
}

#[test]
fn processes_of_this_machine_give_the_same_file() {
    let folder = tempdir().unwrap();
    for (number, rules) in ["standard", "advanced", "very-advanced"].into_iter().enumerate() {
        let board = if rules == "advanced" { "nook9" } else { "ring8" };
        let setup = ["--board", board, "--pods", "duo", "--rules", rules];
        let whole = command_alone(&folder.path().join(rules), &setup);
        for processes in [1, 2 + number] {
            let started = Started::new(&setup, processes);
            let outputs = ended(started.start(&["--scratch", folder.path().to_str().unwrap()]));
            assert!(outputs.iter().all(|output| output.status.success()), "{outputs:?}");
            assert!(bytes(&started.name()) == whole, "{rules}, {processes} processes");
            assert!(outputs[1..].iter().all(|output| output.stdout.is_empty()));
            let said = String::from_utf8_lossy(&outputs[0].stdout).into_owned();
            assert!(said.contains(&format!("\n{processes} processes, ")) && said.contains("bits a position"), "{said}");
        }
    }
}

/// Kills a random process at a random moment, again and again, and starts all again.
fn kills(rounds: usize, seed: u64) {
    let folder = tempdir().unwrap();
    let setup = ["--board", "nook9", "--pods", "trio", "--rules", "advanced"];
    let whole = command_alone(&folder.path().join("whole"), &setup);
    let mut random = Random(seed);
    let mut kills = 0;
    for round in 0..rounds {
        let started = Started::new(&setup, 2 + round % 3);
        let mut begun = 0;
        for _ in 0..4 {
            let mut children = started.start(&["--peer-timeout", "10"]);
            // When the files have grown by so much.
            let (who, enough) = (random.below(children.len()), begun + random.below(15_000) as u64);
            while started.grown() < enough && children[who].try_wait().unwrap().is_none() {
                wait_a_moment();
            }
            let killed = children[who].try_wait().unwrap().is_none();
            // SIGKILL: nothing can be said or cleared away.
            children[who].kill().unwrap();
            let outputs = ended(children);
            if outputs.iter().all(|output| output.status.success()) {
                break;
            }
            begun = started.grown();
            if killed && outputs[who].status.code().is_none() {
                kills += 1;
                let others = outputs.iter().enumerate().filter(|(process, _)| *process != who);
                for (process, output) in others.filter(|(_, output)| !output.status.success()) {
                    let text = text(output);
                    assert_eq!(output.status.code(), Some(2), "process {process}, {who} was killed: {text}");
                    // One that another one called after it had given up for this cannot say why.
                    let named =
                        text.contains(&format!("process {who} ")) || text.contains(" is not there, nobody is at ");
                    assert!(named && !text.contains("panicked"), "{text}");
                }
            }
        }
        let outputs = ended(started.start(&[]));
        assert!(outputs.iter().all(|output| output.status.success()), "seed {seed}, round {round}: {outputs:?}");
        assert!(bytes(&started.name()) == whole, "seed {seed}, round {round}");
        assert!(!started.folder.path().join("t.building").exists());
    }
    println!("{kills} kills");
    assert!(kills >= 2 * rounds, "{kills} in {rounds} rounds");
}

#[test]
fn kills_lose_nothing() {
    kills(5, 3);
}

#[test]
#[ignore = "takes a minute or more"]
fn forty_kills_lose_nothing() {
    kills(20, 4);
}

pub const SMALL: [&str; 6] = ["--board", "ring8", "--pods", "duo", "--rules", "advanced"];

#[test]
fn a_process_that_never_comes_is_named() {
    let started = Started::new(&SMALL, 3);
    let hosts = started.hosts();
    let come: Vec<Child> = [0, 2]
        .into_iter()
        .map(|process| started.command(&hosts, process, "", &["--peer-timeout", "1"]).spawn().unwrap())
        .collect();
    for output in ended(come) {
        let text = text(&output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        let named = ["process 1 did not come within 1 s", "process 1 is not there, nobody is at 127.0.0.1:"];
        assert!(named.iter().any(|named| text.contains(named)), "{text}");
    }
    // Nor does process 0.
    let output = started.command(&hosts, 1, "", &["--peer-timeout", "1"]).output().unwrap();
    assert!(output.status.code() == Some(2) && text(&output).contains("nobody is at 127.0.0.1:"), "{}", text(&output));
}

#[test]
fn processes_that_want_something_else_do_not_begin() {
    let others: [(&[&str], &str); 4] = [
        (&["--rules", "standard"], "process 1 has another board, pods, hands or rules than process 0"),
        (&["--orientation", "90"], "process 1 has another board, pods, hands or rules than process 0"),
        (&["--plain"], "process 1 has the options"),
        (&["-n", "3"], "process 1 is one of 3 processes, process 0 of 2"),
    ];
    for (other, wanted) in others {
        let started = Started::new(&[], 2);
        let hosts = started.hosts();
        fs::write(&hosts, fs::read_to_string(&hosts).unwrap() + "127.0.0.1:1\n").unwrap();
        let first = started.command(&hosts, 0, "", &SMALL).spawn().unwrap();
        let mut setup = SMALL.to_vec();
        let mut command = match other {
            ["--rules", rules] => {
                setup[5] = rules;
                started.command(&hosts, 1, "", &setup)
            }
            ["-n", processes] => {
                let of_more = Started::new(&SMALL, processes.parse().unwrap());
                of_more.command(&hosts, 1, "", &["--peer-timeout", "1"])
            }
            more => started.command(&hosts, 1, "", &[&SMALL[..], more].concat()),
        };
        let second = command.spawn().unwrap();
        for (process, output) in ended(vec![first, second]).into_iter().enumerate() {
            // One of another number of processes waits for those that do not come.
            let counted = process == 1 && other[0] == "-n";
            let text = text(&output);
            assert!(output.status.code() == Some(2) && (counted || text.contains(wanted)), "{wanted}: {text}");
        }
        assert!(!table_path(&started.name()).exists());
    }
}

#[test]
fn a_process_that_hangs_ends_the_others_in_time() {
    let setup = ["--board", "den12", "--pods", "trio", "--rules", "advanced"];
    let started = Started::new(&setup, 3);
    let mut children = started.start(&["--peer-timeout", "4"]);
    while started.grown() < 3_000 {
        assert!(children[1].try_wait().unwrap().is_none());
        wait_a_moment();
    }
    let signal = |signal: &str, child: &Child| {
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success()
    };
    assert!(signal("-STOP", &children[1]));
    let mut hanging = children.remove(1);
    for output in ended(children) {
        let text = text(&output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains("process 1 at 127.0.0.1:") && text.contains("nothing was heard of it for 4 s"), "{text}");
    }
    // When it goes on, it ends too.
    assert!(signal("-CONT", &hanging));
    assert_eq!(hanging.wait().unwrap().code(), Some(2));
    let outputs = ended(started.start(&[]));
    assert!(outputs.iter().all(|output| output.status.success()), "{outputs:?}");
}

#[test]
fn a_full_disk_on_one_ends_all() {
    let folder = tempdir().unwrap();
    let setup = ["--board", "nook9", "--pods", "trio", "--rules", "advanced"];
    let whole = command_alone(&folder.path().join("whole"), &setup);
    // In blocks of 512 bytes: too small for the words, for a log.
    for blocks in [1, 6] {
        for who in [0, 1] {
            let started = Started::new(&setup, 2);
            let hosts = started.hosts();
            let limit = |process: usize| if process == who { format!("ulimit -f {blocks};") } else { String::new() };
            let children =
                (0..2).map(|process| started.command(&hosts, process, &limit(process), &[]).spawn().unwrap());
            let outputs = ended(children.collect());
            for (process, output) in outputs.iter().enumerate() {
                let text = text(output);
                assert_eq!(output.status.code(), Some(2), "{process}: {text}");
                // Process 0 cannot even begin here.
                let early = ["process 0 is not there", "process 0 at 127.0.0.1:"];
                if (blocks, who, process) == (1, 0, 1) && early.iter().any(|early| text.contains(early)) {
                    continue;
                }
                assert!(text.contains("File too large") && text.contains("start again"), "{process}: {text}");
                assert_eq!(text.contains(&format!("process {who} gave up")), process != who, "{process}: {text}");
            }
            assert!(ended(started.start(&[])).iter().all(|output| output.status.success()));
            assert!(bytes(&started.name()) == whole);
        }
    }
}

/// Returns the most memory that a process has taken, until it ends.
fn peak(child: &mut Child) -> u64 {
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let kib = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        peak = kib.unwrap_or(peak);
        wait_a_moment();
    }
    peak << 10
}

#[test]
#[ignore = "takes a minute or more"]
fn processes_solve_together_what_one_of_their_size_refuses() {
    let setup = ["--board", "den12", "--pods", "four", "--rules", "standard"];
    let game = crate::common::builtin_game("den12", 0, "four", "standard");
    let index = Index::new(&Setup::new(game.clone(), whole_hands(&game))).unwrap();
    let plan = TablePlan::new(&game, &index);
    let need = plan.of_processes(&index, 2, 1 << 20, true);
    let limit = need.memory_of_first;
    assert!(limit < plan.total.streamed, "{limit}, {}", plan.total.streamed);
    let folder = tempdir().unwrap();
    let memory = format!("{}KiB", limit.div_ceil(1024));
    let mut alone = program();
    alone.args(["table", "build"]).arg(folder.path().join("alone")).args(setup).args(["--stream", "--memory", &memory]);
    let refused = alone.output().unwrap();
    assert!(refused.status.code() == Some(2) && text(&refused).contains("memory"), "{}", text(&refused));
    let whole = command_alone(&folder.path().join("whole"), &setup);
    let started = Started::new(&setup, 2);
    let peaks: Vec<u64> = std::thread::scope(|scope| {
        let children = started.start(&["--memory", &memory]);
        let watch = |mut child: Child| scope.spawn(move || (peak(&mut child), child.wait().unwrap().success()));
        let watches: Vec<_> = children.into_iter().map(watch).collect();
        watches.into_iter().map(|watch| watch.join().unwrap()).map(|(peak, good)| if good { peak } else { 0 }).collect()
    });
    assert!(peaks.iter().all(|&peak| 0 < peak && peak <= limit), "{peaks:?}, {limit}");
    assert!(bytes(&started.name()) == whole);
}

#[test]
fn a_folder_of_the_same_name_that_is_another_one_is_refused() {
    let started = Started::new(&SMALL, 2);
    let hosts = started.hosts();
    let first = started.command(&hosts, 0, "", &[]).spawn().unwrap();
    let elsewhere = Started::new(&SMALL, 2);
    let second = elsewhere.command(&hosts, 1, "", &[]).spawn().unwrap();
    for output in ended(vec![first, second]) {
        assert!(output.status.code() == Some(2) && text(&output).contains("all processes need the same folder"));
    }
}
