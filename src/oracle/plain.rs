//! Text from elsewhere that may be shown on a terminal.

/// The text with control characters, and those that turn the direction of writing, as `\\u001b`: what JSON allows, and no
/// terminal obeys.
#[must_use]
pub fn plain(text: &str) -> String {
    let obeyed = |c: char| {
        c.is_control()
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if obeyed(c) {
            shown.push_str(&format!("\\u{:04x}", c as u32));
        } else {
            shown.push(c);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn what_a_terminal_obeys_is_spelled_out() {
        assert_eq!(plain("a\u{1b}[31mb\u{9b}2J\u{7f}\tö○\u{202e}"), "a\\u001b[31mb\\u009b2J\\u007f\\u0009ö○\\u202e");
        assert_eq!(serde_json::from_str::<String>(&format!("\"{}\"", plain("\u{1b}\u{9b}"))).unwrap(), "\u{1b}\u{9b}");
    }
}
