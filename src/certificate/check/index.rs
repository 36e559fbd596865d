//! The positions met so far: those that have a line, and those that need one.

use std::collections::HashMap;

use super::super::error::CertificateError;
use super::need::{Goal, Need};

struct Entry {
    goal: Goal,
    /// The plies of the line; before the line is read, the strictest plies that a step requires of
    /// it.
    plies: Option<u32>,
    /// The number of the line; before it is read, that of the line that requires it.
    line: u64,
    there: bool,
    asked_for: bool,
}

/// Bytes of an entry in the map besides its text: up to two slots with their control bytes, since
/// the map is half empty after it has grown, and what the allocator adds to the text.
const ENTRY: u64 = 2 * (size_of::<(Box<str>, Entry)>() as u64 + 1) + 16;

pub(super) struct Index {
    entries: HashMap<Box<str>, Entry>,
    /// Bytes that the entries take, and may take.
    bytes: u64,
    memory: u64,
}

/// Returns the requirement of a step that the line it leads to does not meet.
fn shortfall(goal: Goal, says: Option<u32>, asked: Option<u32>) -> Option<String> {
    match (goal, says, asked) {
        (Goal::Win, Some(says), Some(asked)) if says > asked => Some(format!("at most {asked} plies, not {says}")),
        (Goal::Last, Some(says), Some(asked)) if says < asked => Some(format!("at least {asked} plies, not {says}")),
        _ => None,
    }
}

pub(super) fn missing(position: &str, line: u64) -> CertificateError {
    CertificateError::unproven(line, format!("play can go on to {position}, for which there is no line"))
}

impl Index {
    /// Creates an empty index of at most `memory` bytes.
    pub(super) fn new(memory: u64) -> Index {
        Index { entries: HashMap::new(), bytes: 0, memory }
    }

    /// Adds an entry, or takes the place of the one that is there.
    fn insert(&mut self, position: Box<str>, entry: Entry) -> Result<(), CertificateError> {
        let (line, bytes) = (entry.line, ENTRY + position.len() as u64);
        if self.entries.insert(position, entry).is_none() {
            self.bytes += bytes;
        }
        if self.bytes > self.memory { Err(CertificateError::memory(line, self.memory)) } else { Ok(()) }
    }

    pub(super) fn has(&self, position: &str) -> bool {
        self.entries.get(position).is_some_and(|entry| entry.there)
    }

    /// Notes that a step of a line leads to a position.
    pub(super) fn need(&mut self, need: Need, line: u64) -> Result<(), CertificateError> {
        let Need { position, goal, plies } = need;
        match self.entries.get_mut(position.as_str()) {
            None => {
                let entry = Entry { goal, plies, line, there: false, asked_for: true };
                self.insert(position.into_boxed_str(), entry)?;
            }
            Some(entry) if entry.there => {
                if let Some(lacks) = shortfall(goal, entry.plies, plies) {
                    let cause = format!("play can go on to {position} of line {}, which must say {lacks}", entry.line);
                    return Err(CertificateError::unproven(line, cause));
                }
                entry.asked_for = true;
            }
            Some(entry) => {
                if shortfall(goal, entry.plies, plies).is_some() {
                    (entry.plies, entry.line) = (plies, line);
                }
            }
        }
        Ok(())
    }

    /// Notes the line of a position.
    pub(super) fn give(
        &mut self,
        position: &str,
        goal: Goal,
        plies: Option<u32>,
        line: u64,
    ) -> Result<(), CertificateError> {
        let asked_for = match self.entries.get(position) {
            None => false,
            Some(entry) => {
                if let Some(lacks) = shortfall(goal, plies, entry.plies) {
                    let cause = format!("line {} leads to {position}, which must say {lacks}", entry.line);
                    return Err(CertificateError::unproven(line, cause));
                }
                true
            }
        };
        self.insert(position.into(), Entry { goal, plies, line, there: true, asked_for })
    }

    /// Checks that every position has its line and that something leads to each line.
    pub(super) fn complete(&self) -> Result<(), CertificateError> {
        let first = |wanted: fn(&Entry) -> bool| {
            self.entries.iter().filter(|(_, entry)| wanted(entry)).min_by_key(|(text, entry)| (entry.line, *text))
        };
        if let Some((position, entry)) = first(|entry| !entry.there) {
            return Err(missing(position, entry.line));
        }
        if let Some((position, entry)) = first(|entry| !entry.asked_for) {
            let cause = format!("nothing leads to {position}: the line has no use");
            return Err(CertificateError::damaged(entry.line, cause));
        }
        debug_assert!(self.entries.values().all(|entry| matches!(entry.goal, Goal::Hold) == entry.plies.is_none()));
        Ok(())
    }
}
