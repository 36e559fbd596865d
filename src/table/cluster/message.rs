//! Messages between processes.

use serde::{Deserialize, Serialize};

use crate::files::{hex, shortened};

/// The version of the protocol between processes.
const PROTOCOL: u32 = 3;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Message {
    /// To process 0: what the sender is about to build.
    Greeting(Purpose),
    /// From process 0, which builds the same: the mark of the folder of the build.
    Welcome(String),
    /// Newly decided words, for a process that reads them in the next sweep.
    Words {
        head: [u8; 16],
        packed: Vec<u8>,
    },
    /// The sender has worked on this many bytes of words or blocks.
    Worked(u64),
    /// Blocks of a batch for process 0, which writes them: how long each is, and all of them.
    Blocks {
        lengths: Vec<u32>,
        bytes: Vec<u8>,
        /// True if they are the last ones of the batch.
        last: bool,
    },
    /// Numbers to be summed up at the barrier.
    Sums(Vec<(u64, u64)>),
    /// From process 0: all solve this tier together.
    Tier {
        number: u64,
        /// By distance: whether it occurs in the earlier tiers.
        distances: Vec<bool>,
    },
    /// From process 0: all tiers are solved; these processes make the blocks of the file.
    File {
        makers: Vec<u64>,
    },
    /// From process 0: the table is finished.
    Finished,
    GivesUp(String),
    Alive,
}

/// Facts that must be the same in all processes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Purpose {
    program: String,
    /// The digest of the setup, in hex.
    setup: String,
    options: String,
}

impl Purpose {
    pub(in crate::table) fn new(setup: &[u8; 32], options: String) -> Purpose {
        let program = format!("pods {}, protocol {PROTOCOL}", env!("CARGO_PKG_VERSION"));
        Purpose { program, setup: hex(setup), options }
    }

    /// Returns the difference between another process and process 0, if any.
    pub(super) fn difference(&self, other: &Purpose) -> Option<String> {
        let differ =
            |what: &str, own: &str, other: &str| format!("has {what} {:?}, process 0 has {own:?}", shortened(other));
        if self.program != other.program {
            Some(differ("the program", &self.program, &other.program))
        } else if self.setup != other.setup {
            Some("has another board, pods, hands or rules than process 0".to_owned())
        } else if self.options != other.options {
            Some(differ("the options", &self.options, &other.options))
        } else {
            None
        }
    }
}
