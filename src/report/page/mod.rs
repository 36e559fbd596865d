//! Reports as pages: each is one file of HTML that needs no network and no script, for reading on a
//! screen of any width, on paper, and aloud. Every figure of the report's CSV is in a table, and
//! every drawing is also described in words.
//!
//! The same rows and command give the same page: it has no date.

mod balance;
pub(crate) mod interval;
mod opening;
mod readings;
pub(crate) mod table;

pub(crate) use balance::balance_page;
pub(crate) use readings::readings_page;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::drawing::{self, Worth, plain};
use crate::files::like;
use crate::report::files::about_another;
use crate::report::{NamedSetup, Origins};
use crate::solver::{Outcome, Verdict};

/// Beginning of every page.
const BEGINNING: &str =
    "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"generator\" content=\"pods ";

const STYLE: &str = include_str!("style.css");

fn like_any_page(head: &[u8]) -> Result<(), String> {
    like(head, BEGINNING.as_bytes(), "a page as this program writes it")
}

/// Beginning of the mark with which a page names a setup that it is about.
const SETUP: &str = "<meta name=\"setup\" content=\"";

/// Returns a [`Judge`](crate::files::Judge) that checks that a file begins like a page which says
/// that it is about some of these setups and no other.
pub(crate) fn like_page_about(setups: &[NamedSetup]) -> impl Fn(&[u8]) -> Result<(), String> {
    move |head| {
        like_any_page(head)?;
        let text = String::from_utf8_lossy(head);
        let mut named = text.split(SETUP).skip(1).filter_map(|mark| Some(mark.split_once('"')?.0)).peekable();
        if named.peek().is_none() {
            return Err("it does not say which setups it is about".to_owned());
        }
        let written = |setup: &NamedSetup| html! { (plain(&setup.record().to_string())) }.into_string();
        let own: Vec<String> = setups.iter().map(written).collect();
        named.find(|setup| own.iter().all(|known| known != setup)).map_or(Ok(()), |other| Err(about_another(other)))
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct About<'a> {
    /// The command, without the program's path.
    pub command: &'a str,
    pub origins: &'a Origins,
    /// The commit of the program's source, if it was given.
    pub commit: Option<&'a str>,
    /// Numbers of rows made and wanted, if the run was interrupted.
    pub interrupted: Option<(usize, usize)>,
    /// The setups that the page is about, where it may be replaced by another page about them.
    pub setups: &'a [NamedSetup],
}

impl<'a> About<'a> {
    /// Describes a page that is whole, without a commit.
    #[must_use]
    pub(crate) const fn new(command: &'a str, origins: &'a Origins) -> About<'a> {
        About { command, origins, commit: None, interrupted: None, setups: &[] }
    }
}

/// A page: title, introduction, sections, body, and how it was made.
pub(crate) struct Page<'a> {
    pub(crate) title: &'a str,
    pub(crate) introduction: Markup,
    pub(crate) sections: Vec<(String, String)>,
    pub(crate) body: Markup,
    pub(crate) about: About<'a>,
}

impl Page<'_> {
    pub(crate) fn text(&self) -> String {
        let Page { title, introduction, sections, body, about } = self;
        let version = env!("CARGO_PKG_VERSION");
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="generator" content=(format!("pods {version}"));
                    @for setup in about.setups { meta name="setup" content=(plain(&setup.record().to_string())); }
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (title) }
                    "\n"
                    style { (PreEscaped(drawing::STYLE)) (PreEscaped(STYLE)) }
                }
                "\n"
                body {
                    a class="skip" href="#main" { "To the content" }
                    header {
                        h1 { (title) }
                        (introduction)
                        @for line in about.origins.lines() { p class="caveat" { strong { (plain(&line)) } } }
                        @if let Some((there, wanted)) = about.interrupted {
                            p class="caveat" { "The run was interrupted: " (there) " of " (wanted) " rows are here." }
                        }
                        @if sections.len() > 1 {
                            nav aria-label="Contents" {
                                ul { @for (id, name) in sections { li { a href=(format!("#{id}")) { (plain(name)) } } } }
                            }
                        }
                    }
                    "\n"
                    main id="main" { "\n" (body) }
                    "\n"
                    footer {
                        p {
                            "Made by pods " (version) " with " code { "pods " (plain(about.command)) }
                            @if let Some(commit) = about.commit { ", commit " code { (plain(commit)) } }
                            ". Clauses such as R34: " code { "pods rules R34" } "."
                        }
                    }
                }
            }
            "\n"
        };
        page.into_string()
    }
}

/// Returns the value of a start or an opening in the form that drawings show.
fn worth(known: Option<Verdict>) -> Worth {
    match known.map(|verdict| (verdict.outcome(), verdict.plies())) {
        None => Worth::Unknown,
        Some((Outcome::Win, plies)) => Worth::Win(plies),
        Some((Outcome::Draw, _)) => Worth::Draw,
        Some((Outcome::Loss, plies)) => Worth::Loss(plies),
    }
}

/// Returns a value in words with its sign.
fn value(worth: Worth) -> Markup {
    let words = if worth == Worth::Unknown { "not known".to_owned() } else { worth.to_string() };
    html! { span class="value" { (PreEscaped(drawing::sign(worth))) " " (words) } }
}

pub(crate) fn setup_words(setup: &NamedSetup) -> String {
    let record = setup.record();
    plain(&format!("{}, {}: {}", record.board, record.pods, record.hands()))
}

/// Renders the key of the signs of values.
fn key() -> Markup {
    let signs = [
        (Worth::Win(None), "wins"),
        (Worth::Draw, "draws"),
        (Worth::Loss(None), "loses"),
        (Worth::Unknown, "not known, which is no draw"),
    ];
    html! {
        p class="key" {
            @for (worth, words) in signs {
                span class="value" { (PreEscaped(drawing::sign(worth))) " " (words) } " "
            }
        }
        p { "A number in a sign: plies to the end." }
    }
}
