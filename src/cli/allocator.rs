//! If memory runs out, the program ends with a message and exit status 2; without this module it would be aborted. A solver that
//! can go on without the memory is told instead.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;

use super::failure::Exit;
use crate::solver::memory::is_attempt;

/// The system's allocator, which tells when it has nothing more to give.
pub struct Telling;

// SAFETY: every call is handed on to the system's allocator as it came, and what that gives is given, unless it gave nothing:
// then the process ends, or, where that is expected, nothing is given.
unsafe impl GlobalAlloc for Telling {
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

fn given(memory: *mut u8, bytes: usize) -> *mut u8 {
    if memory.is_null() && !is_attempt() { out_of_memory(bytes) } else { memory }
}

/// Says so and ends the process. Nothing here allocates: numbers are written straight to standard error.
#[cold]
fn out_of_memory(bytes: usize) -> ! {
    let _ = writeln!(
        std::io::stderr(),
        "pods: error: the system has no more memory: {bytes} bytes more were needed; give a lower --memory or fewer \
         --threads, or take a smaller setup"
    );
    std::process::exit(i32::from(Exit::Wrong.code()))
}
