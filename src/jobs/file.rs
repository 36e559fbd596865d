//! The job file: the root and the leaves of the upper tree.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::error::JobsError;
use super::step::{Namer, Own, texts, value_name, winner_of};
use super::tree::{Node, State, Tree};
use crate::certificate::{GameData, TRAILER_START, Trailer, canonical};
use crate::files::{Inputs, Output, Overwrite, ReadError, hex, open, read_bytes, read_line_bytes};
use crate::material::Side;
use crate::position::{Game, Position};

/// The name of the job file in its folder.
pub(super) const FILE: &str = "jobs.jsonl";

/// The name of the format.
pub(super) const FORMAT: &str = "pods-jobs";

/// Its version.
pub(super) const VERSION: u32 = 1;

/// The longest line; a header with 64 points and 26 kinds takes a hundredth of it.
const LONGEST: usize = 1 << 20;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
    program: String,
    /// The most plies from the root to a leaf.
    depth: usize,
    position: String,
    game: GameData,
}

/// A leaf.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    job: String,
    path: Vec<String>,
    position: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    covers: Vec<CoverData>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
}

/// A kind of pods that stands for a cover.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CoverData {
    id: char,
    legs: String,
}

/// By node of the upper tree that is a leaf: the name of its job, and the number of its line.
pub(super) type Names = HashMap<usize, (String, u64)>;

/// Content of a job file.
#[derive(Clone, Debug)]
pub(super) struct JobFile {
    path: PathBuf,
    pub(super) game: Game,
    pub(super) root: Position,
    /// By how many degrees the board was turned before it lay so.
    pub(super) orientation: u16,
    depth: usize,
    /// By name of a leaf: where it stands, and what the split has found.
    leaves: HashMap<String, (u64, Option<(String, u64)>)>,
}

pub(super) fn covers(own: &Own) -> Vec<CoverData> {
    own.covers.iter().map(|spec| CoverData { id: spec.id, legs: spec.legs.to_string() }).collect()
}

/// Returns the job file of a tree, as text.
pub(super) fn text(game: &Game, root: &Position, depth: usize, tree: &Tree<'_>) -> Result<Vec<u8>, JobsError> {
    let header = Header {
        format: FORMAT.to_owned(),
        version: VERSION,
        program: format!("pods {}", env!("CARGO_PKG_VERSION")),
        depth,
        position: root.text(game),
        game: GameData::new(game),
    };
    let mut namer = Namer::new(game);
    let mut bytes = Vec::new();
    // A vector takes everything, and all of this is text and numbers.
    let mut put = |line: serde_json::Result<String>| {
        bytes.extend_from_slice(line.unwrap_or_default().as_bytes());
        bytes.push(b'\n');
    };
    put(serde_json::to_string(&header));
    let mut lines = 0;
    let reachable = tree.reachable();
    for (node, _) in tree.nodes.iter().zip(reachable).filter(|(_, reachable)| *reachable) {
        let (value, nodes) = match node.state {
            State::Open => (None, None),
            State::Found(winner, nodes) => (Some(value_name(winner, node.situation.to_move).to_owned()), Some(nodes)),
            State::AtSight(_) | State::Grown(_) => continue,
        };
        let Some(own) = Own::of(game, root, &node.path) else { continue };
        let line = Line {
            job: namer.name(&node.situation),
            path: texts(game, &node.path),
            position: own.position.text(&own.game),
            covers: covers(&own),
            value,
            nodes,
        };
        put(serde_json::to_string(&line));
        lines += 1;
    }
    let trailer = Trailer { lines, sha256: hex(&Sha256::digest(&bytes)) };
    let _ = writeln!(bytes, "{}", serde_json::to_string(&trailer).unwrap_or_default());
    Ok(bytes)
}

/// Writes a job file into a folder. One with the same text may be there.
pub(super) fn write(folder: &Path, text: &[u8], force: bool) -> Result<(), JobsError> {
    let path = folder.join(FILE);
    let there = read_bytes(&path, text.len() as u64);
    if there.as_ref().is_ok_and(|there| there == text) {
        return Ok(());
    }
    let is_free = matches!(&there, Err(ReadError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound);
    if !is_free && !force {
        return Err(JobsError::OtherJobs { path });
    }
    let inputs = Inputs::default();
    Output::to_keep(&path, Overwrite { force, inputs: &inputs, judge: &|_| Ok(()) })?.write_bytes(text)?;
    Ok(())
}

impl JobFile {
    /// Reads the job file of a folder.
    pub(super) fn read(folder: &Path) -> Result<JobFile, JobsError> {
        let path = folder.join(FILE);
        let file = match open(&path) {
            Ok(file) => file,
            Err(ReadError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(JobsError::NoJobFile { path });
            }
            Err(error) => return Err(JobsError::JobFile { path, line: 1, cause: error.to_string() }),
        };
        let mut reader = Reader { path: &path, input: BufReader::new(file), digest: Sha256::new(), number: 0 };
        let bytes = reader.next()?;
        let value: serde_json::Value = serde_json::from_slice(&bytes)
            .map_err(|e| reader.wrong(format!("it does not begin as a job file does: {e}")))?;
        if value["format"] != FORMAT {
            return Err(reader.wrong(format!("a job file begins with {{\"format\":{FORMAT:?},…}}")));
        }
        if value["version"] != VERSION {
            return Err(JobsError::Version { found: value["version"].to_string(), known: VERSION, path });
        }
        let header: Header = reader.canonical(&bytes)?;
        let game = header.game.game().map_err(|cause| reader.wrong(cause))?;
        let root = game.position(&header.position).map_err(|e| reader.wrong(e.to_string()))?;
        let mut leaves = HashMap::new();
        for ordinal in 0_u64.. {
            let before = reader.digest.clone();
            let bytes = reader.next()?;
            if bytes.starts_with(TRAILER_START) {
                let trailer: Trailer = reader.canonical(&bytes)?;
                if trailer != (Trailer { lines: ordinal, sha256: hex(&before.finalize()) }) {
                    return Err(reader.wrong("its lines are not those that the trailer counts and sums up"));
                }
                break;
            }
            let line: Line = reader.canonical(&bytes)?;
            let found = line.value.map(|value| (value, line.nodes.unwrap_or(0)));
            if leaves.insert(line.job, (ordinal, found)).is_some() {
                return Err(reader.wrong("this job is there twice"));
            }
        }
        if !reader.input.fill_buf().is_ok_and(<[u8]>::is_empty) {
            return Err(reader.wrong("something follows the trailer"));
        }
        let orientation = header.game.orientation();
        Ok(JobFile { path, game, root, orientation, depth: header.depth, leaves })
    }

    /// Returns the upper tree, and the names of its leaves.
    pub(super) fn tree(&self) -> Result<(Tree<'_>, Names), JobsError> {
        let mut namer = Namer::new(&self.game);
        let mut look = |node: &Node| -> Result<Option<(Side, u64)>, JobsError> {
            let leaf = self.leaves.get(&namer.name(&node.situation));
            Ok(leaf.and_then(|(_, found)| {
                let (value, nodes) = found.as_ref()?;
                Some((winner_of(value, node.situation.to_move)?, *nodes))
            }))
        };
        let wrong = |cause: &str| JobsError::JobFile { path: self.path.clone(), line: 2, cause: cause.to_owned() };
        let mut tree = Tree::new(&self.game, &self.root, &mut look)?;
        let mut namer = Namer::new(&self.game);
        let mut names = HashMap::new();
        let (mut i, mut level, mut reachable) = (0, 0, vec![true]);
        while i < tree.nodes.len() {
            if tree.nodes[i].path.len() > level || i == 0 {
                level = tree.nodes[i].path.len();
                reachable = tree.reachable();
            }
            if !reachable[i] || matches!(tree.nodes[i].state, State::AtSight(_)) {
                i += 1;
                continue;
            }
            let name = namer.name(&tree.nodes[i].situation);
            match self.leaves.get(&name) {
                Some(&(ordinal, _)) => drop(names.insert(i, (name, ordinal))),
                None if level < self.depth => tree.grow(i, &mut look)?,
                None => return Err(wrong("jobs are missing that play from the position leads to")),
            }
            i += 1;
        }
        if names.len() < self.leaves.len() {
            return Err(wrong("there are jobs that play from the position does not lead to"));
        }
        Ok((tree, names))
    }
}

struct Reader<'a, R> {
    path: &'a Path,
    input: R,
    digest: Sha256,
    number: u64,
}

impl<R: BufRead> Reader<'_, R> {
    fn wrong(&self, cause: impl Into<String>) -> JobsError {
        JobsError::JobFile { path: self.path.to_owned(), line: self.number, cause: cause.into() }
    }

    /// Returns the next line, without its line feed.
    fn next(&mut self) -> Result<Vec<u8>, JobsError> {
        self.number += 1;
        let mut bytes = Vec::new();
        match read_line_bytes(&mut self.input, LONGEST, &mut bytes) {
            Ok(true) => {}
            Ok(false) => return Err(self.wrong("the file ends here, before the trailer that closes it")),
            Err(error) => return Err(self.wrong(error.to_string())),
        }
        self.digest.update(&bytes);
        self.digest.update(b"\n");
        Ok(bytes)
    }

    /// Reads a line of JSON, which must be written as this program would write it.
    fn canonical<T: Serialize + for<'a> Deserialize<'a>>(&self, line: &[u8]) -> Result<T, JobsError> {
        canonical(line, "job file").map_err(|cause| self.wrong(cause))
    }
}
