//! Rows of a report as CSV and as JSON.

use std::io;

/// Writes a header and rows as CSV. Lines end with a line feed, as in all CSV of this program.
pub(crate) fn write_rows<H, R>(header: H, rows: impl IntoIterator<Item = R>, out: impl io::Write) -> io::Result<()>
where
    H: IntoIterator<Item: AsRef<[u8]>>,
    R: IntoIterator<Item: AsRef<[u8]>>,
{
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(header)?;
    for row in rows {
        writer.write_record(row)?;
    }
    writer.flush()
}

/// Returns a row as an object: numbers as numbers, in the columns that have them, and what is not
/// known as null.
#[must_use]
pub fn json_object(
    header: impl IntoIterator<Item = &'static str>,
    cells: impl IntoIterator<Item = String>,
    has_numbers: impl Fn(&str) -> bool,
) -> serde_json::Map<String, serde_json::Value> {
    let cell = |(name, cell): (&'static str, String)| {
        let value = match cell.as_str() {
            "" => serde_json::Value::Null,
            number if has_numbers(name) => serde_json::from_str(number).unwrap_or(serde_json::Value::Null),
            _ => serde_json::Value::String(cell),
        };
        (name.to_owned(), value)
    };
    header.into_iter().zip(cells).map(cell).collect()
}
