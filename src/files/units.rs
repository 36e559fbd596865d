//! Numbers for people.

use std::fmt;

/// A number with its digits in groups of three; from 10^15 on in scientific notation. The largest
/// stands for all above it.
pub struct Thousands(pub u128);

impl fmt::Display for Thousands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == u128::MAX {
            return f.write_str("more than 10^38");
        }
        if self.0 >= 1_000_000_000_000_000 {
            return write!(f, "{:.1e}", self.0 as f64);
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
            _ if value >= 1e6 => write!(f, "{value:.1e} {unit}"),
            _ => write!(f, "{value:.1} {unit}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_too_large_are_said_to_be_more() {
        let said = |number: u128| (Thousands(number).to_string(), Bytes(number).to_string());
        assert_eq!(said(1_234_567), ("1,234,567".to_owned(), "1.2 MiB".to_owned()));
        assert_eq!(said(u128::MAX), ("more than 10^38".to_owned(), "more than 10^20 EiB".to_owned()));
    }
}
