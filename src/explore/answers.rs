//! The routes: each question by its path.

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, Json, Request, State};
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use tokio::sync::Semaphore;

use super::guard::{Guard, guard, refused};
use super::job::{Heavy, HeavyAsk};
use super::refusal::Refusal;
use super::worker::Worker;
use super::{arrange, assets, compare, edit, events, help, library, material, pods, setting, share, view, why};
use crate::files::shortened;

/// The most bytes of a question.
const MOST_BYTES: usize = 1 << 20;

/// The most streams that are open at a time.
const STREAMS: usize = 16;

/// Answerers of heavy questions: the worker, and permits for streams.
#[derive(Clone)]
struct Heavies {
    worker: Worker,
    streams: Arc<Semaphore>,
}

/// A question, or why its JSON cannot be read.
type Question<Q> = Result<Json<Q>, JsonRejection>;

/// Returns the answer to a question that cannot be read.
fn unreadable(rejection: &JsonRejection) -> Response {
    (rejection.status(), shortened(&rejection.body_text()).into_owned()).into_response()
}

/// Answers a quick question on another thread than the one that serves.
async fn quick<Q, A>(ask: fn(Q) -> Result<A, Refusal>, question: Question<Q>) -> Response
where
    Q: DeserializeOwned + Send + 'static,
    A: Serialize + Send + 'static,
{
    let Json(question) = match question {
        Ok(question) => question,
        Err(rejection) => return unreadable(&rejection),
    };
    match tokio::task::spawn_blocking(move || ask(question)).await {
        Ok(Ok(answer)) => Json(answer).into_response(),
        Ok(Err(refusal)) => refusal.into_response(),
        Err(_) => {
            let fault = Json(json!({ "error": "this is a fault of the program" }));
            (StatusCode::INTERNAL_SERVER_ERROR, fault).into_response()
        }
    }
}

/// Answers a heavy question by a stream.
async fn heavy(State(heavies): State<Heavies>, ask: Question<HeavyAsk>) -> Response {
    let Json(ask) = match ask {
        Ok(ask) => ask,
        Err(rejection) => return unreadable(&rejection),
    };
    let Ok(permit) = heavies.streams.try_acquire_owned() else {
        return refused((StatusCode::SERVICE_UNAVAILABLE, "Too many streams are open: close other pages.\n"));
    };
    match Heavy::read(ask) {
        Ok(what) => {
            let worker = heavies.worker.clone();
            let (events, response) = events::events(permit, move || worker.tidy());
            match heavies.worker.ask(what, events) {
                Ok(()) => response,
                Err(full) => refused((StatusCode::SERVICE_UNAVAILABLE, format!("{full}\n"))),
            }
        }
        Err(refusal) => refusal.into_response(),
    }
}

/// Returns a file of the page.
async fn file(request: Request) -> Response {
    assets::asset(request.uri().path()).unwrap_or_else(|| StatusCode::NOT_FOUND.into_response())
}

pub(super) fn router(worker: Worker, own: Arc<Guard>) -> Router {
    let heavies = Heavies { worker, streams: Arc::new(Semaphore::new(STREAMS)) };
    let mut router = Router::new();
    for path in assets::paths() {
        router = router.route(path, get(file));
    }
    router
        .route("/api/library", get(async || Json(library::library())))
        .route("/api/help", get(async || Json(help::help())))
        .route("/api/view", post(|q| quick(view::answer, q)))
        .route("/api/pods", post(|q| quick(pods::answer, q)))
        .route("/api/why", post(|q| quick(why::answer, q)))
        .route("/api/share", post(|q| quick(share::answer, q)))
        .route("/api/mend", post(|q| quick(setting::mend, q)))
        .route("/api/arrange", post(|q| quick(arrange::answer, q)))
        .route("/api/compare", post(|q| quick(compare::answer, q)))
        .route("/api/material", post(|q| quick(material::answer, q)))
        .route("/api/captions", post(|q| quick(material::captions, q)))
        .route("/api/edit", post(|q| quick(edit::answer, q)))
        .route("/api/job", post(heavy))
        .with_state(heavies)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(from_fn_with_state(own, guard))
}
