//! Rows of a report as CSV.

use std::io;

/// Writes a header and rows as CSV with the line ends of RFC 4180.
pub(crate) fn write_rows<H, R>(header: H, rows: impl IntoIterator<Item = R>, out: impl io::Write) -> io::Result<()>
where
    H: IntoIterator<Item: AsRef<[u8]>>,
    R: IntoIterator<Item: AsRef<[u8]>>,
{
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(out);
    writer.write_record(header)?;
    for row in rows {
        writer.write_record(row)?;
    }
    writer.flush()
}
