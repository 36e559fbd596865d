//! The files of the page.

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// A file of the page: its path, its type, its text.
struct Asset(&'static str, &'static str, &'static str);

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SVG: &str = "image/svg+xml";
const JS: &str = "text/javascript; charset=utf-8";

macro_rules! scripts {
    ($($name:ident)*) => {
        &[
            Asset("/", HTML, include_str!("page/index.html")),
            Asset("/icon.svg", SVG, include_str!("page/icon.svg")),
            $(Asset(
                concat!("/", stringify!($name), ".js"),
                JS,
                include_str!(concat!("page/", stringify!($name), ".js")),
            )),*
        ]
    };
}

const ASSETS: &[Asset] = scripts! {
    answers api arrange board broken certificate clause compare dom drag edit editboard editpods
    fair files finder game help key known main notation play program readings seconds seen setup
    share shown state strokes tabs todo tour values verdict why
};

/// All style sheets, that of drawings among them, in one file: nothing is painted before the last
/// of them has come.
const STYLES: Asset = Asset(
    "/page.css",
    CSS,
    concat!(
        include_str!("../drawing/style.css"),
        include_str!("page/style.css"),
        include_str!("page/board.css"),
        include_str!("page/panels.css")
    ),
);

fn all() -> impl Iterator<Item = &'static Asset> {
    ASSETS.iter().chain(std::iter::once(&STYLES))
}

pub(super) fn paths() -> impl Iterator<Item = &'static str> {
    all().map(|asset| asset.0)
}

pub(super) fn asset(path: &str) -> Option<Response> {
    let Asset(_, kind, text) = all().find(|asset| asset.0 == path)?;
    Some(([(header::CONTENT_TYPE, *kind)], *text).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_competes_with_the_style_sheet_for_the_first_paint() {
        let page = all().find(|asset| asset.0 == "/").unwrap().2;
        let asked: Vec<&str> =
            page.split(['<', '>']).filter(|tag| tag.contains("rel=\"") || tag.contains("src=")).collect();
        // Modules that are asked for beforehand hold the style sheet up; the script finds them
        // soon.
        assert_eq!(
            asked,
            [
                "link rel=\"icon\" href=\"/icon.svg\"",
                "link rel=\"stylesheet\" href=\"/page.css\"",
                "script type=\"module\" src=\"/main.js\""
            ]
        );
    }

    #[test]
    fn every_module_is_imported() {
        let modules = || all().filter(|asset| asset.1 == JS);
        assert!(modules().count() > 20);
        for Asset(path, ..) in modules().filter(|asset| asset.0 != "/main.js") {
            assert!(modules().any(|asset| asset.2.contains(&format!("\".{path}\""))), "{path}");
        }
    }
}
