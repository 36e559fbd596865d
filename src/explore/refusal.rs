//! Reasons why a question has no answer.

use axum::extract::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::files::with_short_words;

/// The reason why a question has no answer.
#[derive(Debug)]
pub(super) struct Refusal(pub(super) String);

impl<E: std::error::Error> From<E> for Refusal {
    fn from(error: E) -> Refusal {
        Refusal(error.to_string())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (StatusCode::UNPROCESSABLE_ENTITY, Json(json!({ "error": with_short_words(&self.0) }))).into_response()
    }
}
