//! Server-sent events: a stream from the thread that works to the page that waits.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use serde::Serialize;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{self, Receiver, Sender};

/// The most events that may wait to be sent. If more wait, the page reads too slowly and is given
/// up.
const WAITING: usize = 4096;

/// Sender of events to a page. Clones send to the same page.
#[derive(Clone, Debug)]
pub(super) struct Events {
    sender: Sender<Bytes>,
    gone: Arc<AtomicBool>,
}

/// Returns a sender of events, and the answer that carries them. The permit is held while the
/// stream is open, and `on_gone` is called when it ends.
pub(super) fn events(permit: OwnedSemaphorePermit, on_gone: impl Fn() + Send + 'static) -> (Events, Response) {
    let (sender, receiver) = mpsc::channel(WAITING);
    let gone = Arc::new(AtomicBool::new(false));
    let stream = Stream { receiver, gone: gone.clone(), on_gone: Box::new(on_gone), _permit: permit };
    let response = ([(header::CONTENT_TYPE, "text/event-stream")], Body::new(stream)).into_response();
    (Events { sender, gone }, response)
}

impl Events {
    /// Sends an event with its data; does nothing once the page has gone.
    pub(super) fn send(&self, name: &str, data: &impl Serialize) {
        let sent = serde_json::to_string(data).is_ok_and(|data| {
            let text = format!("event: {name}\ndata: {data}\n\n");
            self.sender.try_send(text.into()).is_ok()
        });
        if !sent {
            self.gone.store(true, Ordering::Relaxed);
        }
    }

    /// Returns a flag that is set once the page has gone.
    pub(super) fn gone(&self) -> &AtomicBool {
        &self.gone
    }

    /// Returns `true` if the page has gone.
    pub(super) fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
    }

    /// Returns another handle on the flag, to set it when the server ends.
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        self.gone.clone()
    }
}

/// The body of the answer.
struct Stream {
    receiver: Receiver<Bytes>,
    gone: Arc<AtomicBool>,
    on_gone: Box<dyn Fn() + Send>,
    _permit: OwnedSemaphorePermit,
}

impl HttpBody for Stream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.receiver.poll_recv(context).map(|event| event.map(|event| Ok(Frame::data(event))))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.gone.store(true, Ordering::Relaxed);
        (self.on_gone)();
    }
}
