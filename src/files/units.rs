//! Numbers for people.

use std::fmt;

/// A number with its digits in groups of three; from 10^15 on as `6.3·10^36`. The largest
/// stands for all above it.
pub(crate) struct Thousands(pub u128);

impl fmt::Display for Thousands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == u128::MAX {
            return f.write_str("more than 10^38");
        }
        if self.0 >= 1_000_000_000_000_000 {
            return power(f, self.0 as f64);
        }
        let digits = self.0.to_string();
        for (i, digit) in digits.chars().enumerate() {
            if i > 0 && (digits.len() - i).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

/// Writes a large number as `6.3·10^36`.
fn power(f: &mut fmt::Formatter<'_>, number: f64) -> fmt::Result {
    let text = format!("{number:.1e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    write!(f, "{digits}·10^{exponent}")
}

/// A number of bytes in the largest fitting binary unit.
pub struct Bytes(pub u128);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut value, mut unit) = (self.0 as f64, "bytes");
        for larger in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] {
            if value < 1024.0 {
                break;
            }
            value /= 1024.0;
            unit = larger;
        }
        match unit {
            _ if self.0 == u128::MAX => f.write_str("more than 10^20 EiB"),
            "bytes" => write!(f, "{} bytes", self.0),
            _ if value >= 1e6 => {
                power(f, value)?;
                write!(f, " {unit}")
            }
            _ => write!(f, "{value:.1} {unit}"),
        }
    }
}

/// Returns a number of things that have a regular plural: `1 point`, `2 points`.
#[must_use]
pub fn count(number: impl Into<u128>, what: &str) -> String {
    let number = number.into();
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_too_large_are_said_to_be_more() {
        let said = |number: u128| (Thousands(number).to_string(), Bytes(number).to_string());
        assert_eq!(said(1_234_567), ("1,234,567".to_owned(), "1.2 MiB".to_owned()));
        assert_eq!(said(6_320_000 << 40).1, "6.0 EiB");
        assert_eq!(said(63 * 10_u128.pow(35)), ("6.3·10^36".to_owned(), "5.5·10^18 EiB".to_owned()));
        assert_eq!(said(u128::MAX), ("more than 10^38".to_owned(), "more than 10^20 EiB".to_owned()));
    }
}
