//! Parts of a list that do not overlap, for several threads to write.

/// Hands out parts of a list that do not overlap, from front to back.
pub(in crate::table) struct DisjointSlices<'a, T> {
    rest: &'a mut [T],
    /// Index of the rest in the whole list.
    at: usize,
}

impl<'a, T> DisjointSlices<'a, T> {
    pub(in crate::table) fn new(list: &'a mut [T]) -> DisjointSlices<'a, T> {
        DisjointSlices { rest: list, at: 0 }
    }

    /// Returns `list[first..first + len]`. Calls must ascend without overlap.
    ///
    /// # Panics
    ///
    /// If the part begins before the end of the last one, or ends behind the list.
    pub(in crate::table) fn cut(&mut self, first: usize, len: usize) -> &'a mut [T] {
        let (_, rest) = std::mem::take(&mut self.rest).split_at_mut(first - self.at);
        let (piece, rest) = rest.split_at_mut(len);
        self.rest = rest;
        self.at = first + len;
        piece
    }
}
