//! Certificates that break one rule of the format each are refused.

use super::lines::sealed;
use super::walk::forged::{ALL, forge, kept, unbroken};
use super::{CheckOptions, Fault, check};

#[test]
fn a_certificate_that_breaks_any_rule_is_refused() {
    for (broken, name, _) in ALL {
        let bytes = std::fs::read(kept(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let error = check(&bytes[..], CheckOptions::default()).expect_err(name);
        assert!(matches!(error.fault, Fault::Damaged | Fault::Unproven), "{broken:?}: {error}");
    }
}

/// With no rule broken the same hand makes certificates that hold, so the broken rule alone is why
/// others do not.
#[test]
fn the_forger_keeps_all_other_rules() {
    let parts = unbroken();
    assert!(parts.len() > 200, "{}", parts.len());
    for (header, sections, lines) in parts {
        let checked = check(&sealed(&header, &sections, lines)[..], CheckOptions::default());
        let checked = checked.unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&header)));
        assert_eq!(checked.lines, lines);
    }
}

/// Makes the forged certificates that are missing: `cargo test --lib forged_certificates --
/// --ignored`.
#[test]
#[ignore = "writes files"]
fn forged_certificates() {
    let mut missing = Vec::new();
    for (broken, name, is_false) in ALL.into_iter().filter(|&(_, name, _)| !kept(name).exists()) {
        match forge(broken, is_false) {
            Some(bytes) => std::fs::write(kept(name), bytes).unwrap(),
            None => missing.push(broken),
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}
