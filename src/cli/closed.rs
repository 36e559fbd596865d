//! Standard output that was closed before the program began.
//!
//! The standard library opens `/dev/null` in its place, so that everything written would be lost
//! in silence. This looks before the library does.

#![allow(unsafe_code)]

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

// SAFETY: the loader calls the functions of this section once, before `main`; this one has the type
// that it expects.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

#[cfg(target_os = "linux")]
extern "C" fn look() {
    // SAFETY: this asks for a number's flags, and is sound for every number.
    let flags = unsafe { libc::fcntl(1, libc::F_GETFD) };
    CLOSED.store(flags == -1, Ordering::Relaxed);
}

/// Standard output, which refuses everything if it was closed.
pub(crate) struct StandardOutput(io::StdoutLock<'static>);

impl StandardOutput {
    /// Returns an error if it was closed.
    ///
    /// # Errors
    ///
    /// That it is closed.
    pub(crate) fn check() -> io::Result<()> {
        if CLOSED.load(Ordering::Relaxed) { Err(io::Error::other("it is closed")) } else { Ok(()) }
    }

    #[must_use]
    pub(crate) fn lock() -> StandardOutput {
        StandardOutput(io::stdout().lock())
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        StandardOutput::check().and_then(|()| self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
