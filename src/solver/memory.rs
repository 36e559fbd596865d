//! Memory for large tables, and threads, that the system may refuse.

use std::thread::{Builder, Scope, ScopedJoinHandle};

use crate::progress::Stopped;

/// Starts a thread; `None` if the system gives none.
pub(crate) fn spawn_if_room<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    Builder::new().spawn_scoped(scope, work).ok()
}

/// Asks the system for large pages. With pages of 4 KiB nearly every read at a random place misses
/// the TLB. A system without large pages refuses, and only speed is lost.
pub(crate) fn ask_for_large_pages(pages: &memmap2::MmapMut) {
    #[cfg(target_os = "linux")]
    let _ = pages.advise(memmap2::Advice::HugePage);
    #[cfg(not(target_os = "linux"))]
    let _ = pages;
}

pub(super) fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), Stopped> {
    list.try_reserve(more).map_err(|_| Stopped::NoMemory)
}

pub(super) fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>, Stopped> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|_| Stopped::NoMemory)?;
    list.resize(count, value);
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_an_answer() {
        assert_eq!(filled(7_u64, usize::MAX / 8), Err(Stopped::NoMemory));
        assert_eq!(filled(7, 3), Ok(vec![7; 3]));
        assert_eq!(reserve(&mut vec![0_u8], usize::MAX), Err(Stopped::NoMemory));
    }
}
