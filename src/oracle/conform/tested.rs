//! A program under test, which is started again when it fails, and the requests that it has got.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::oracle::peer::{Answers, Fault, PeerError};
use crate::oracle::protocol::{Answer, Query};

/// Starts the program, each time that it is called.
pub(crate) type Start<'s, 'p> = dyn FnMut() -> Result<Box<dyn Answers + 'p>, PeerError> + 's;

/// Reply to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// An answer.
    Answer(Answer),
    /// No usable answer.
    Fault(Fault),
}

impl Reply {
    #[must_use]
    pub(crate) fn answer(&self) -> Option<&Answer> {
        match self {
            Reply::Answer(answer) => Some(answer),
            Reply::Fault(_) => None,
        }
    }
}

/// The most requests that are remembered, to find out what a program keeps between them.
const REMEMBERED: usize = 40_000;

/// A program, and what it has been asked since it was started.
pub(super) struct TestedProgram<'s, 'p> {
    start: &'s mut Start<'s, 'p>,
    peer: Option<Box<dyn Answers + 'p>>,
    /// If set, ends the questions.
    interrupt: Option<&'s AtomicBool>,
    /// Last questions to this process.
    history: VecDeque<Query>,
}

impl<'s, 'p> TestedProgram<'s, 'p> {
    pub(super) fn new(
        start: &'s mut Start<'s, 'p>,
        interrupt: Option<&'s AtomicBool>,
    ) -> Result<TestedProgram<'s, 'p>, PeerError> {
        let peer = Some(start()?);
        Ok(TestedProgram { start, peer, interrupt, history: VecDeque::new() })
    }

    pub(super) fn go_on(&self) -> Result<(), PeerError> {
        match self.interrupt {
            Some(interrupt) if interrupt.load(Ordering::Relaxed) => Err(PeerError::Ended),
            _ => Ok(()),
        }
    }

    /// Returns the name that the program gives itself.
    pub(super) fn name(&self) -> String {
        self.peer.as_ref().map(|peer| peer.name().to_owned()).unwrap_or_default()
    }

    /// Returns `true` if the program has declared that it can do something.
    pub(super) fn can(&self, capability: &str) -> bool {
        self.peer.as_ref().is_some_and(|peer| peer.capabilities().iter().any(|declared| declared == capability))
    }

    /// Replaces the running process by a new one.
    pub(super) fn restart(&mut self) -> Result<(), PeerError> {
        self.peer = None;
        self.history.clear();
        self.peer = Some((self.start)()?);
        Ok(())
    }

    /// Asks. A program that fails is started again at the next question.
    ///
    /// # Errors
    ///
    /// If the program does not start again, or the interrupt is set.
    pub(super) fn ask(&mut self, ask: &Query) -> Result<Reply, PeerError> {
        self.go_on()?;
        if self.peer.is_none() {
            self.restart()?;
        }
        if self.history.len() == REMEMBERED {
            self.history.pop_front();
        }
        self.history.push_back(ask.clone());
        let Some(peer) = &mut self.peer else { unreachable!("it has just been started") };
        match peer.ask(ask, self.interrupt) {
            Ok(answer) => Ok(Reply::Answer(answer)),
            Err(error) => match error.fault() {
                Some(fault) => {
                    self.peer = None;
                    Ok(Reply::Fault(fault))
                }
                None => Err(error),
            },
        }
    }

    /// Returns the requests to the running process, or to the one that has just failed.
    pub(super) fn history(&self) -> Vec<Query> {
        self.history.iter().cloned().collect()
    }

    /// Tells the program to quit.
    ///
    /// # Errors
    ///
    /// If the program does not end as it should.
    pub(super) fn quit(self) -> Result<(), PeerError> {
        self.peer.map_or(Ok(()), |peer| peer.quit())
    }
}
