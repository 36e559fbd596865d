//! Characters that are easily mistaken for those of a board's picture.

/// Returns the character of a picture that this one looks like, and the name of this one.
pub(super) fn look_alike(c: char) -> Option<(char, String)> {
    let coded = |name: &str| format!("{name} (U+{:04X})", u32::from(c));
    Some(match c {
        'O' => ('o', "a capital letter O".to_owned()),
        '0' => ('o', "the digit 0".to_owned()),
        '○' | '◯' | '〇' | '⚪' | '◦' | '∘' | '●' | '⚫' | '•' | '·' | 'º' | '°' => {
            ('o', coded(&format!("the sign {c}")))
        }
        'ο' | 'Ο' => ('o', coded("a Greek letter")),
        'о' | 'О' => ('o', coded("a Cyrillic letter")),
        'ｏ' | 'Ｏ' => ('o', coded("a wide letter")),
        '–' | '—' | '−' | '‐' | '‑' | '‒' | '―' | '─' | '━' | '－' => {
            ('-', coded(&format!("the sign {c}")))
        }
        '_' | '=' | '~' => ('-', format!("the sign {c}")),
        '│' | '┃' | '∣' | '¦' | '｜' | '║' => ('|', coded(&format!("the sign {c}"))),
        'l' => ('|', "a small letter l".to_owned()),
        'I' => ('|', "a capital letter I".to_owned()),
        '1' => ('|', "the digit 1".to_owned()),
        '!' => ('|', "the sign !".to_owned()),
        '╱' | '⁄' | '∕' | '⟋' | '／' => ('/', coded(&format!("the sign {c}"))),
        '╲' | '∖' | '⧵' | '⟍' | '＼' => ('\\', coded(&format!("the sign {c}"))),
        'x' => ('X', "a small letter x".to_owned()),
        '×' | '╳' | '✕' | '✖' | '⨯' => ('X', coded(&format!("the sign {c}"))),
        'Χ' | 'χ' => ('X', coded("a Greek letter")),
        'Х' | 'х' => ('X', coded("a Cyrillic letter")),
        '.' => (' ', "a full stop".to_owned()),
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            (' ', coded("another kind of blank"))
        }
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => (' ', coded("an invisible character")),
        _ => return None,
    })
}
