//! Memory that the system may refuse.
//!
//! If the system has no memory for a growing table, the job ends with [`Stopped::NoMemory`] and the
//! program goes on. An allocator that ends the program when memory runs out must ask [`is_attempt`]
//! first, and return the failure if that is true.

use std::cell::Cell;
use std::sync::mpsc;
use std::thread::{Builder, Scope, ScopedJoinHandle};

use crate::progress::Stopped;

thread_local! {
    // Set without allocating anything, and never dropped: an allocator may read it.
    static ATTEMPT: Cell<bool> = const { Cell::new(false) };
}

/// Returns `true` if this thread is asking for memory that it can do without.
#[must_use]
pub fn is_attempt() -> bool {
    ATTEMPT.get()
}

/// Returns `true` if the system would give another `bytes` bytes; they are given back at once. Ask
/// after a table has grown or threads have started: the small allocations that follow must not
/// fail.
#[must_use]
pub fn is_left(bytes: usize) -> bool {
    memmap2::MmapMut::map_anon(bytes).is_ok()
}

/// Bytes that must be left after a table is allocated: the allocations that follow are small, and
/// must not fail.
pub(crate) const LEFT: usize = 8 << 20;

/// Starts a thread, if the system has memory for it and something left besides: a thread that
/// begins with no memory left would end the program. Returns when the thread has begun and taken
/// its memory.
pub(crate) fn spawn_if_room<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    if !is_left(2 * LEFT) {
        return None;
    }
    let (begins, begun) = mpsc::channel();
    let begin = move || {
        let _ = begins.send(());
        work()
    };
    let thread = Builder::new().spawn_scoped(scope, begin).ok()?;
    let _ = begun.recv();
    Some(thread)
}

/// Asks the system for large pages. With pages of 4 KiB nearly every read at a random place misses
/// the TLB. A system without large pages refuses, and only speed is lost.
pub(crate) fn ask_for_large_pages(pages: &memmap2::MmapMut) {
    #[cfg(target_os = "linux")]
    let _ = pages.advise(memmap2::Advice::HugePage);
    #[cfg(not(target_os = "linux"))]
    let _ = pages;
}

/// Asks for memory by a call that returns an error if there is none.
pub(crate) fn attempt<T, E>(ask: impl FnOnce() -> Result<T, E>) -> Result<T, Stopped> {
    let before = ATTEMPT.replace(true);
    let given = ask();
    ATTEMPT.set(before);
    given.map_err(|_| Stopped::NoMemory)
}

/// Makes room for `more` more elements.
pub(super) fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), Stopped> {
    if list.capacity() - list.len() >= more { Ok(()) } else { attempt(|| list.try_reserve(more)) }
}

/// Returns a list of `count` copies of a value.
pub(super) fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>, Stopped> {
    let mut list = Vec::new();
    attempt(|| list.try_reserve_exact(count))?;
    list.resize(count, value);
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_an_answer() {
        assert!(!is_attempt());
        assert_eq!(attempt(|| if is_attempt() { Err(()) } else { Ok(()) }), Err(Stopped::NoMemory));
        assert!(!is_attempt());
        assert_eq!(filled(7_u64, usize::MAX / 8), Err(Stopped::NoMemory));
        assert_eq!(filled(7, 3), Ok(vec![7; 3]));
        assert_eq!(reserve(&mut vec![0_u8], usize::MAX), Err(Stopped::NoMemory));
    }
}
