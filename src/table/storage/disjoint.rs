//! Pieces of a list, cut out one after the other for several threads.

/// Cuts pieces out of a list, from front to back.
pub(in crate::table) struct Carver<'a, T> {
    rest: &'a mut [T],
    /// Where the rest begins in the whole list.
    at: usize,
}

impl<'a, T> Carver<'a, T> {
    pub(in crate::table) fn new(list: &'a mut [T]) -> Carver<'a, T> {
        Carver { rest: list, at: 0 }
    }

    /// The piece of a length from a place of the whole list on, which lies behind those cut out before.
    pub(in crate::table) fn cut(&mut self, first: usize, len: usize) -> &'a mut [T] {
        let (_, rest) = std::mem::take(&mut self.rest).split_at_mut(first - self.at);
        let (piece, rest) = rest.split_at_mut(len);
        self.rest = rest;
        self.at = first + len;
        piece
    }
}
