//! If memory runs out, the program ends with a message and exit status 2; without this module it
//! would be aborted. A solver that can go on without the memory is told instead.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;

use super::failure::Exit;
use crate::solver::memory::is_attempt;

/// The system's allocator, which tells when it has nothing more to give.
pub struct ExitOnOom;

// SAFETY: every call is handed on to the system's allocator as it came, and what that gives is
// given, unless it gave nothing: then the process ends, or, where that is expected, nothing is
// given.
unsafe impl GlobalAlloc for ExitOnOom {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        given(unsafe { System.realloc(old, layout, size) }, size)
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(old, layout) }
    }
}

/// Addresses that the C library reserves for a heap, in bytes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const HEAP: u64 = 64 << 20;

/// Limits the heaps of threads to an eighth of the addresses (at least one heap), where the system
/// limits addresses by `ulimit -v`. It must be called before there are threads.
///
/// The GNU C library has up to eight heaps for each core, so that threads do not wait for each
/// other, and reserves addresses for each. Where addresses are few, the heaps would leave none for
/// new threads, and a thread that cannot begin ends the program.
pub fn limit_heaps() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if let Some(addresses) = rustix::process::getrlimit(rustix::process::Resource::As).current {
        let heaps = (addresses / 8 / HEAP).clamp(1, 1 << 10) as i32;
        // SAFETY: this sets a number that the C library's allocator reads when it makes a heap. It
        // takes any number from 1 on, and no other thread runs yet. If it refuses, heaps stay as
        // many as they were.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, heaps) };
    }
}

fn given(memory: *mut u8, bytes: usize) -> *mut u8 {
    if memory.is_null() && !is_attempt() { out_of_memory(bytes) } else { memory }
}

/// Says so and ends the process. Nothing here allocates: numbers are written straight to standard
/// error.
#[cold]
fn out_of_memory(bytes: usize) -> ! {
    let _ = writeln!(
        std::io::stderr(),
        "pods: error: the system has no more memory: {bytes} bytes more were needed; give a lower --memory or fewer \
         --threads, or take a smaller setup"
    );
    std::process::exit(i32::from(Exit::Wrong.code()))
}
