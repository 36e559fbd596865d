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

/// Returns the SHA-256 of some bytes, in lower-case hexadecimal digits.
#[cfg(any(feature = "solver", feature = "check"))]
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    hex(&sha2::Sha256::digest(bytes))
}
