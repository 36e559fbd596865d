//! Access control: the host, the origin and the cookie of every request.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// A mark of a connection that is set once a request on it has had the cookie.
#[derive(Clone, Debug, Default)]
pub(super) struct CookieSeen(pub(super) Arc<AtomicBool>);

/// Time limit for a request to arrive, and for a quick answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Values that requests are checked against.
#[derive(Debug)]
pub(super) struct Guard {
    port: u16,
    /// The token in the printed address.
    token: String,
    /// The value of the cookie, which is given for the token.
    secret: String,
}

/// Returns 16 random bytes as hexadecimal digits.
fn random_text() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl Guard {
    pub(super) fn new(port: u16) -> Result<Guard, getrandom::Error> {
        Ok(Guard { port, token: random_text()?, secret: random_text()? })
    }

    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token)
    }

    /// Returns the name of the cookie. It has the port, since browsers share cookies between the
    /// ports of a host.
    fn cookie(&self) -> String {
        format!("pods-explore-{}", self.port)
    }

    /// Returns `true` if a host is this server's. No other name counts, whatever address it stands
    /// for.
    fn is_own(&self, host: &str) -> bool {
        ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{}", self.port))
    }

    /// Returns the host that a request names, if it is this server's.
    fn host<'r>(&self, request: &'r Request) -> Option<&'r str> {
        let host = only(request.headers(), &header::HOST)?;
        let named = request.uri().authority().is_none_or(|authority| authority.as_str() == host);
        (named && self.is_own(host)).then_some(host)
    }

    /// Returns `true` if the request has the cookie.
    fn is_known(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie();
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        cookies
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .any(|(key, value)| key == name && same(value, &self.secret))
    }

    /// Returns `true` if the query is the token.
    fn has_token(&self, query: &str) -> bool {
        query.strip_prefix("token=").is_some_and(|token| same(token, &self.token))
    }

    fn judge(&self, request: &Request) -> Result<Option<Response>, (StatusCode, &'static str)> {
        let Some(host) = self.host(request) else {
            return Err((StatusCode::FORBIDDEN, "This server answers to 127.0.0.1 and localhost alone.\n"));
        };
        let headers = request.headers();
        if request.method() == Method::POST {
            let origin = only(headers, &header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
            if origin != Some(host) {
                return Err((StatusCode::FORBIDDEN, "Only the page of this server may ask.\n"));
            }
        } else if let (true, Some(query)) = (request.uri().path() == "/", request.uri().query()) {
            if !self.has_token(query) {
                return Err((StatusCode::FORBIDDEN, "This token is not the one that was printed.\n"));
            }
            let cookie = format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie(), self.secret);
            let html = "text/html; charset=utf-8".to_owned();
            return Ok(Some(
                ([(header::CONTENT_TYPE, html), (header::SET_COOKIE, cookie)], forward_page("/")).into_response(),
            ));
        }
        if !self.is_known(headers) {
            return Err((
                StatusCode::FORBIDDEN,
                "Open the address that pods explore printed: it has a token that lets you in.\n",
            ));
        }
        Ok(None)
    }
}

/// Returns a page that leads on to an address, without a link back. A redirection would not do: the
/// cookie is strict, and browsers send it only where their own page asked, not a file or another
/// program.
pub(super) fn forward_page(address: &str) -> String {
    format!(
        "<!doctype html>\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta http-equiv=\"refresh\" content=\"0; url={address}\">\n<title>PODS</title>\n"
    )
}

/// Returns the value of a header that is there exactly once.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let (value, None) = (values.next()?, values.next()) else { return None };
    value.to_str().ok()
}

/// Returns `true` if two texts are the same, in a time that does not depend on where they differ.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

/// The headers of every answer: the page loads and runs only its own files, and other sites can
/// neither frame nor read it.
const HEADERS: [(HeaderName, &str); 8] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

/// Lets a request pass, or answers it.
pub(super) async fn guard(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let is_for_page = request.method() == Method::GET && request.uri().path() == "/";
    let mut response = match guard.judge(&request) {
        Ok(None) => {
            if let Some(CookieSeen(known)) = request.extensions().get::<CookieSeen>() {
                known.store(true, Ordering::Relaxed);
            }
            match tokio::time::timeout(PATIENCE, next.run(request)).await {
                Ok(response) => response,
                Err(_) => refused((StatusCode::REQUEST_TIMEOUT, "The request took too long.\n")),
            }
        }
        Ok(Some(response)) => response,
        Err(refusal) if is_for_page => refused_page(refusal),
        Err(refusal) => refused(refusal),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Returns a refusal. It closes the connection.
pub(super) fn refused(refusal: (StatusCode, impl Into<String>)) -> Response {
    let (status, why) = refusal;
    let mut response = (status, why.into()).into_response();
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// Returns a refusal for who opens the page: what to do, in words. It needs no file, since none is
/// given before the token. The browser keeps what stands behind `#` when the page is loaded again.
fn refused_page((status, why): (StatusCode, &'static str)) -> Response {
    let page = format!(
        "<!doctype html>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>PODS: not let in yet</title>\n\
         <h1>PODS does not know this browser yet</h1>\n<p>{why}</p>\n\
         <ol>\n<li>If the program is not running, start it: <code>pods explore</code>.</li>\n\
         <li>Open the address that it prints, in this browser, in a second tab.</li>\n\
         <li>Come back to this tab and load it again: what the link shows comes up.</li>\n</ol>\n\
         <p>A link works on the computer on which the program runs, and only while it runs.</p>\n"
    );
    let mut response = refused((status, page));
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, html);
    response
}
