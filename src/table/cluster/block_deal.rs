//! Several processes make the blocks of a file, dealt batch by batch, and process 0 writes them.
//!
//! Every process knows all batches, and deals each to the process with the least work so far. It
//! makes its own as fast as it can and sends them to process 0, which writes all in their order.
//! Blocks that are sent and not yet written are bounded as words are.

use std::collections::VecDeque;

use crate::table::cluster::exchange::{Event, Exchange};
use crate::table::cluster::message::Message;
use crate::table::error::TableError;
use crate::table::storage::{Blocks, Division};

/// Bytes of blocks from which on they are a message.
const PIECE: usize = 256 << 10;

/// Blocks of a batch that have come; the last ones of it or not.
struct Piece {
    lengths: Vec<u32>,
    bytes: Vec<u8>,
    last: bool,
}

/// The deal of batches of blocks to some processes, process 0 among them.
pub(super) struct BlockDeal<'a> {
    exchange: &'a mut Exchange,
    /// The processes that make blocks, and the work dealt to each.
    makers: Vec<(usize, u64)>,
    /// By process what has come of it, for process 0.
    come: Vec<VecDeque<Piece>>,
    /// Events that are not about blocks.
    other: Vec<Event>,
    /// Bytes of blocks sent, or come.
    moved: u64,
}

impl<'a> BlockDeal<'a> {
    /// Begins a deal. `makers` are the processes that make blocks: the same list in all of
    /// them.
    pub(in crate::table) fn new(exchange: &'a mut Exchange, makers: &[usize]) -> BlockDeal<'a> {
        let come = (0..exchange.processes()).map(|_| VecDeque::new()).collect();
        let makers = makers.iter().map(|&maker| (maker, 0)).collect();
        BlockDeal { exchange, makers, come, other: Vec::new(), moved: 0 }
    }

    /// Waits until all batches are made; process 0 waits for the others too, so that nobody reads
    /// any more what they were made from. Returns the bytes of blocks that this process has sent,
    /// or received.
    ///
    /// # Errors
    ///
    /// If another process is lost, or has made other batches.
    pub(super) fn end(mut self) -> Result<u64, TableError> {
        let own = self.exchange.process();
        let others: Vec<usize> = self.makers.iter().map(|(maker, _)| *maker).filter(|&maker| maker != 0).collect();
        for from in others.into_iter().filter(|_| own == 0) {
            if !self.receive(from)?.is_empty() {
                return Err(TableError::Peers(format!("process {from} has made blocks that it was not to make")));
            }
        }
        if own != 0 {
            self.send(&Blocks::new())?;
        }
        self.exchange.inbox.put_back(self.other.drain(..));
        Ok(self.moved)
    }

    fn send(&mut self, blocks: &Blocks) -> Result<(), TableError> {
        let mut piece = Piece { lengths: Vec::new(), bytes: Vec::new(), last: false };
        for (i, block) in blocks.iter().enumerate() {
            piece.lengths.push(block.len() as u32);
            piece.bytes.extend_from_slice(block);
            if piece.bytes.len() >= PIECE && i + 1 < blocks.len() {
                let next = Piece { lengths: Vec::new(), bytes: Vec::new(), last: false };
                self.send_piece(std::mem::replace(&mut piece, next))?;
            }
        }
        self.send_piece(Piece { last: true, ..piece })
    }

    fn send_piece(&mut self, Piece { lengths, bytes, last }: Piece) -> Result<(), TableError> {
        let size = size(&lengths, &bytes);
        self.moved += size;
        self.exchange.outbox.wait_for_room(0, size)?;
        self.exchange.outbox.send(0, Message::Blocks { lengths, bytes, last });
        Ok(())
    }

    /// Returns the blocks of the next batch of another process.
    fn receive(&mut self, from: usize) -> Result<Blocks, TableError> {
        let mut blocks = Blocks::new();
        loop {
            let piece = match self.come[from].pop_front() {
                Some(piece) => piece,
                None => {
                    match self.exchange.inbox.next() {
                        Event::Message { from, message: Message::Blocks { lengths, bytes, last } } => {
                            self.come[from].push_back(Piece { lengths, bytes, last });
                        }
                        Event::Ended => return Err(self.exchange.outbox.why_ended()),
                        event => self.other.push(event),
                    }
                    continue;
                }
            };
            let size = size(&piece.lengths, &piece.bytes);
            self.moved += size;
            let mut rest = &piece.bytes[..];
            for &length in &piece.lengths {
                let Some((block, behind)) = rest.split_at_checked(length as usize) else {
                    let cause = format!("process {from} has sent blocks that are not as long as it says");
                    return Err(TableError::Peers(cause));
                };
                blocks.push(block.to_vec());
                rest = behind;
            }
            self.exchange.outbox.send(from, Message::Worked(size));
            if piece.last {
                return Ok(blocks);
            }
        }
    }
}

/// Returns the bytes of a piece on its way.
fn size(lengths: &[u32], bytes: &[u8]) -> u64 {
    (4 * lengths.len() + bytes.len()) as u64
}

impl Division for BlockDeal<'_> {
    fn makers(&self) -> usize {
        self.makers.len()
    }

    fn batch(
        &mut self,
        work: u64,
        make: &mut dyn FnMut() -> Result<Blocks, TableError>,
    ) -> Result<Option<Blocks>, TableError> {
        let own = self.exchange.process();
        let least = self.makers.iter_mut().min_by_key(|(_, dealt)| *dealt);
        let maker = least.map_or(0, |(maker, dealt)| {
            *dealt += work.max(1);
            *maker
        });
        match (maker == own, own) {
            (true, 0) => make().map(Some),
            (true, _) => {
                self.exchange.outbox.check()?;
                self.send(&make()?)?;
                Ok(None)
            }
            (false, 0) => self.receive(maker).map(Some),
            (false, _) => Ok(None),
        }
    }
}
