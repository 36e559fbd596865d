//! The tests against the faults.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::plant::Fault;

/// A program of tests.
#[derive(Clone, Debug)]
pub struct Program {
    /// The target.
    pub name: String,
    /// `lib`, `bin` or `test`.
    pub kind: String,
    /// The file.
    pub path: PathBuf,
}

/// How a run of tests ended.
enum End {
    /// All passed.
    Passed,
    /// One did not.
    Failed(String),
    /// None ended for so long.
    Slow,
}

/// Time in which a test ends, on a machine that does other things too.
const PATIENCE: Duration = Duration::from_secs(400);

/// Programs that do not look at what the code does.
const ABOUT_TEXTS: [&str; 1] = ["house"];

/// What is said of each fault.
const HEADER: [&str; 8] = ["fault", "file", "line", "column", "function", "change", "found", "by"];

/// The tests of one build.
pub struct Trial {
    copy: PathBuf,
    scratch: PathBuf,
    programs: Vec<Program>,
    /// By program and test: whether it passes without a fault.
    passing: Mutex<HashMap<(usize, String), bool>>,
}

/// What is run: a program, the beginning of the names that are wanted, of those that are not, and one name alone.
#[derive(Clone, Default)]
struct Part {
    program: usize,
    only: Option<String>,
    skip: Vec<String>,
    exact: bool,
}

fn ended(child: &mut Child) {
    // The children of the tests go with their group.
    let _ = Command::new("kill").args(["-9", "--", &format!("-{}", child.id())]).stderr(Stdio::null()).status();
    let _ = child.kill();
    let _ = child.wait();
}

impl Trial {
    /// The programs of tests that look at what the code does.
    pub fn new(copy: PathBuf, mut programs: Vec<Program>, scratch: PathBuf) -> Trial {
        programs.retain(|program| program.kind != "bin" && !ABOUT_TEXTS.contains(&program.name.as_str()));
        Trial { copy, scratch, programs, passing: Mutex::default() }
    }

    /// The parts in the order in which they are likely to find a fault soon.
    fn parts(&self, fault: &Fault) -> Vec<Part> {
        let floor = fault.file.split('/').nth(1).unwrap_or_default();
        let own = format!("{floor}::");
        let mut parts = Vec::new();
        let order: &[&str] = match floor {
            "engine" => &["rules", "own", "values", "lib", "tables", "program", "readers"],
            "table" => &["own", "tables", "values", "program", "readers", "lib", "rules"],
            _ => &["own", "values", "program", "tables", "lib", "rules", "readers"],
        };
        for name in order {
            for (program, of) in self.programs.iter().enumerate() {
                let part = match *name {
                    "own" if of.kind == "lib" => Part { program, only: Some(own.clone()), ..Part::default() },
                    "lib" if of.kind == "lib" => Part { program, skip: vec![own.clone()], ..Part::default() },
                    _ if of.kind == "test" && of.name == *name => Part { program, ..Part::default() },
                    _ => continue,
                };
                parts.push(part);
            }
        }
        parts
    }

    /// Tests against one fault, until the first fails.
    fn tested(&self, part: &Part, fault: u32, job: usize) -> Outcome<End> {
        let scratch = self.scratch.join(job.to_string());
        let _ = fs::remove_dir_all(&scratch);
        fs::create_dir_all(&scratch)?;
        let mut command = Command::new(&self.programs[part.program].path);
        command.args(&part.only).args(part.exact.then_some("--exact"));
        command.args(part.skip.iter().flat_map(|test| ["--skip", test])).arg("--test-threads=1");
        command.current_dir(&self.copy).env("CARGO_MANIFEST_DIR", &self.copy).env("RUST_BACKTRACE", "0");
        command.env("PODS_FAULT", fault.to_string()).env("TMPDIR", &scratch);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let (sender, lines) = mpsc::channel();
        let out = child.stdout.take().expect("a pipe");
        thread::spawn(move || {
            for line in BufReader::new(out).split(b'\n').map_while(Result::ok) {
                if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    break;
                }
            }
        });
        let mut last = String::new();
        loop {
            match lines.recv_timeout(PATIENCE) {
                Ok(line) => {
                    let test = line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... "));
                    if let Some((test, how)) = test {
                        last = test.to_owned();
                        if how.ends_with("FAILED") {
                            ended(&mut child);
                            return Ok(End::Failed(last));
                        }
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    ended(&mut child);
                    return Ok(End::Slow);
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(if child.wait()?.success() { End::Passed } else { End::Failed(format!("(the program ended) after {last}")) })
    }

    /// Whether a test passes without a fault.
    fn passes(&self, program: usize, test: &str, job: usize) -> Outcome<bool> {
        let key = (program, test.to_owned());
        if let Some(&passes) = self.passing.lock().expect("no job panics").get(&key) {
            return Ok(passes);
        }
        let alone = Part { program, only: Some(test.to_owned()), exact: true, ..Part::default() };
        let passes = test.starts_with('(') || matches!(self.tested(&alone, 0, job)?, End::Passed);
        if !passes {
            eprintln!("{test} fails without a fault and says nothing");
        }
        self.passing.lock().expect("no job panics").insert(key, passes);
        Ok(passes)
    }

    /// What is found of one fault: `yes`, `slow` or `no`, and by what.
    fn tried(&self, number: u32, fault: &Fault, job: usize) -> Outcome<(&'static str, String)> {
        for mut part in self.parts(fault) {
            let name = self.programs[part.program].name.clone();
            loop {
                match self.tested(&part, number, job)? {
                    End::Passed => break,
                    End::Failed(test) if self.passes(part.program, &test, job)? => {
                        return Ok(("yes", format!("{name} {test}")));
                    }
                    End::Failed(test) => part.skip.push(test),
                    End::Slow => return Ok(("slow", format!("{name} silent for {} s", PATIENCE.as_secs()))),
                }
            }
        }
        Ok(("no", String::new()))
    }

    /// Tries the faults that have no row yet, and writes a row for each.
    pub fn run(&self, faults: &[(u32, Fault)], out: &Path, jobs: usize, again: bool) -> Outcome<()> {
        let mut rows: HashMap<u32, Vec<String>> = HashMap::new();
        if let Ok(file) = File::open(out) {
            for row in csv::Reader::from_reader(file).records() {
                let row: Vec<String> = row?.iter().map(str::to_owned).collect();
                if !(again && row[6] == "no") {
                    rows.insert(row[0].parse()?, row);
                }
            }
        }
        let cells = |number: u32, fault: &Fault| {
            let Fault { file, line, column, function, change } = fault.clone();
            vec![number.to_string(), file, line.to_string(), column.to_string(), function, change]
        };
        if let Some((number, _)) = faults.iter().find(|(n, f)| rows.get(n).is_some_and(|r| r[..6] != cells(*n, f)[..]))
        {
            return Err(format!("{}: row {number} is of another fault; remove the file", out.display()).into());
        }
        let left: Vec<&(u32, Fault)> = faults.iter().filter(|(number, _)| !rows.contains_key(number)).collect();
        let (next, rows, begun) = (AtomicUsize::new(0), Mutex::new(rows), Instant::now());
        thread::scope(|scope| {
            let works: Vec<_> = (0..jobs.max(1))
                .map(|job| {
                    let (next, rows, left, cells) = (&next, &rows, &left, &cells);
                    scope.spawn(move || -> Result<(), String> {
                        while let Some((number, fault)) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
                            let (found, by) = self.tried(*number, fault, job).map_err(|e| e.to_string())?;
                            let mut row = cells(*number, fault);
                            row.extend([found.to_owned(), by]);
                            eprintln!("{:>5} s  {}", begun.elapsed().as_secs(), row.join(" | "));
                            let mut rows = rows.lock().map_err(|e| e.to_string())?;
                            rows.insert(*number, row);
                            written(&rows, out).map_err(|e| e.to_string())?;
                        }
                        Ok(())
                    })
                })
                .collect();
            works.into_iter().try_for_each(|work| work.join().expect("a job does not panic"))
        })?;
        let rows = rows.into_inner()?;
        let count = |found: &str| rows.values().filter(|row| row[6] == found).count();
        let (yes, slow, no) = (count("yes"), count("slow"), count("no"));
        eprintln!(
            "{} faults: {yes} found by a test, {slow} by its time, {no} not found ({:.1} % found)",
            rows.len(),
            100.0 * (yes + slow) as f64 / rows.len().max(1) as f64
        );
        Ok(())
    }
}

/// The rows by number, in one step.
fn written(rows: &HashMap<u32, Vec<String>>, out: &Path) -> Outcome<()> {
    let mut sorted: Vec<(&u32, &Vec<String>)> = rows.iter().collect();
    sorted.sort();
    let new = out.with_extension("csv.new");
    let mut writer = csv::Writer::from_path(&new)?;
    writer.write_record(HEADER)?;
    for (_, row) in sorted {
        writer.write_record(row)?;
    }
    writer.flush()?;
    fs::rename(new, out)?;
    Ok(())
}
