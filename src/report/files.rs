//! The files of a report: how an existing one is recognized, and the boards and pods that it was
//! made from.

use std::path::Path;

use super::{NamedSetup, SetupRecord};
use crate::files::{Record, like, read_text};
use crate::material::{BUILTIN_BOARDS, BUILTIN_PODS, MAX_BYTES, MaterialError, find_board, find_pods};

/// Checks that a file begins with the header of the CSV of some records, for a
/// [`Judge`](crate::files::Judge).
///
/// # Errors
///
/// If it does not; the message says so.
pub(crate) fn like_csv<R: Record>(head: &[u8]) -> Result<(), String> {
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line == R::header().join(",").as_bytes() { Ok(()) } else { Err("it is no CSV with the same columns".to_owned()) }
}

/// Returns a [`Judge`](crate::files::Judge) that checks that a file begins with the header of the
/// CSV of some records, and that all rows that are seen are about some of these setups.
pub(crate) fn like_csv_about<R: Record>(setups: &[NamedSetup]) -> impl Fn(&[u8]) -> Result<(), String> {
    move |head| {
        like_csv::<R>(head)?;
        // The last line may be cut.
        let end = head.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let own: Vec<SetupRecord> = setups.iter().map(NamedSetup::record).collect();
        for row in csv::Reader::from_reader(&head[..end]).deserialize::<SetupRecord>() {
            let setup = row.map_err(|_| "a row of it cannot be read".to_owned())?;
            if !own.contains(&setup) {
                return Err(about_another(&setup));
            }
        }
        Ok(())
    }
}

/// Returns the reason why a report about this setup is kept.
pub(super) fn about_another(setup: impl std::fmt::Display) -> String {
    format!("it is about another setup: {setup}")
}

/// Checks that a file begins like the manifest of a report, for a [`Judge`](crate::files::Judge).
///
/// # Errors
///
/// If it does not; the message says so.
pub(crate) fn like_manifest(head: &[u8]) -> Result<(), String> {
    like(head, b"{\n  \"format\": \"pods-manifest\",", "a manifest of a report")
}

/// Checks that a file begins like an SVG picture, for a [`Judge`](crate::files::Judge).
///
/// # Errors
///
/// If it does not; the message says so.
pub(crate) fn like_svg(head: &[u8]) -> Result<(), String> {
    like(head, b"<svg ", "an SVG picture as this program writes it")
}

/// Returns the text of a board or pod set, built in or a file, and its `source` field, which says
/// where its content comes from.
///
/// # Errors
///
/// If there is no such set or file, or it is neither a board nor a pod set.
pub(crate) fn material_text(name: &Path) -> Result<(String, String), MaterialError> {
    let built_in = BUILTIN_BOARDS.iter().chain(BUILTIN_PODS).find(|(n, _)| name == Path::new(n));
    let source = match find_board(name) {
        Ok(board) => board.source().to_owned(),
        Err(as_board) => find_pods(name).map_err(|_| as_board)?.source().to_owned(),
    };
    let text = match built_in {
        Some((_, text)) => (*text).to_owned(),
        None => read_text(name, MAX_BYTES).unwrap_or_default(),
    };
    Ok((text, source))
}
