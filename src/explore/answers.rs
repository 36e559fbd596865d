//! The routes: each question by its path.

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, Json, Path, Request, State};
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::guard::{Guard, guard, refused};
use super::job::{Heavy, HeavyAsk};
use super::refusal::Refusal;
use super::setting::Setting;
use super::view::Marks;
use super::worker::Worker;
use super::{arrange, assets, compare, edit, events, help, library, material, pods, setting, share, view, why};
use crate::files::shortened;

const MAX_BYTES: usize = 1 << 20;

/// The most streams that are open at a time.
const STREAMS: usize = 16;

/// Answerers of heavy questions: the worker, and permits for streams.
#[derive(Clone)]
struct Heavies {
    worker: Worker,
    streams: Arc<Semaphore>,
}

/// A question, or why its JSON cannot be read.
type Parsed<Q> = Result<Json<Q>, JsonRejection>;

/// Returns the answer to a question that cannot be read.
fn unreadable(rejection: &JsonRejection) -> Response {
    (rejection.status(), shortened(&rejection.body_text()).into_owned()).into_response()
}

/// A quick question. Its name is the last part of its path.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum QuickQuery {
    /// The position after a change by hand (R29).
    Arrange { setting: Setting, change: arrange::Change },
    /// The facts about a board and pods together, and the captions of the rules texts on them.
    Captions { board: String, pods: String },
    /// The position under another rule set.
    Compare { setting: Setting, other: String },
    /// A board or pods, after a change.
    Edit(edit::EditQuery),
    /// The clauses with their pictures, and the words.
    Help {},
    /// Choices that are offered.
    Library {},
    /// The content of a file; its name is for messages.
    Material { name: String, text: String },
    /// A setting that can be played, where one cannot; `default` stands in for parts of it.
    Mend { setting: Setting, default: Setting },
    /// The pods of a set.
    Pods { pods: String },
    /// Files for others.
    Share { setting: Setting },
    /// All that is shown of a position.
    View {
        setting: Setting,
        #[serde(default)]
        marks: Marks,
    },
    /// An action as it is written: legal, or why not.
    Why { setting: Setting, action: String },
}

impl QuickQuery {
    fn answer(self) -> Result<Value, Refusal> {
        match self {
            QuickQuery::Arrange { setting, change } => arrange::answer(&setting, change),
            QuickQuery::Captions { board, pods } => material::captions(&board, &pods),
            QuickQuery::Compare { setting, other } => compare::answer(setting, other),
            QuickQuery::Edit(ask) => edit::answer(ask),
            QuickQuery::Help {} => Ok(help::help().clone()),
            QuickQuery::Library {} => Ok(library::library()),
            QuickQuery::Material { name, text } => material::answer(&name, text),
            QuickQuery::Mend { setting, default } => Ok(json!(setting::mend(setting, &default))),
            QuickQuery::Pods { pods } => pods::answer(&pods),
            QuickQuery::Share { setting } => share::answer(&setting),
            QuickQuery::View { setting, marks } => Ok(view::view(&setting.course()?, &marks)),
            QuickQuery::Why { setting, action } => why::answer(&setting, &action),
        }
    }
}

/// Answers a quick question on another thread than the one that serves.
async fn quick(Path(name): Path<String>, question: Parsed<Value>) -> Response {
    let Json(question) = match question {
        Ok(question) => question,
        Err(rejection) => return unreadable(&rejection),
    };
    let ask: QuickQuery = match serde_json::from_value(json!({ name: question })) {
        Ok(ask) => ask,
        Err(error) => return Refusal(shortened(&error.to_string()).into_owned()).into_response(),
    };
    match tokio::task::spawn_blocking(|| ask.answer()).await {
        Ok(Ok(answer)) => Json(answer).into_response(),
        Ok(Err(refusal)) => refusal.into_response(),
        Err(_) => {
            let fault = Json(json!({ "error": "this is a fault of the program" }));
            (StatusCode::INTERNAL_SERVER_ERROR, fault).into_response()
        }
    }
}

async fn heavy(State(heavies): State<Heavies>, ask: Parsed<HeavyAsk>) -> Response {
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
        .route("/api/job", post(heavy))
        .route("/api/{name}", post(quick))
        .with_state(heavies)
        .layer(DefaultBodyLimit::max(MAX_BYTES))
        .layer(from_fn_with_state(own, guard))
}
