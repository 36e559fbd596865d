//! Digests of files as text.

/// Returns the bytes as hexadecimal digits in lower case, two for each byte.
///
/// ```
/// assert_eq!(pods::files::hex(&[0, 10, 255]), "000aff");
/// ```
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
