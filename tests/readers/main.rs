//! Every reader is fed damaged texts and bytes.

mod bytes;
mod texts;
