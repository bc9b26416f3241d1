//! Compression by gzip (RFC 1952).

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use super::limits;

pub(crate) fn compress(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// What was compressed, unless it is larger than texts may become: a few bytes can stand for billions.
pub(crate) fn expand(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut expanded = Vec::new();
    let mut decoder = GzDecoder::new(bytes).take(limits::MAX_TEXT as u64 + 1);
    decoder.read_to_end(&mut expanded).map_err(|_| "this is not compressed with gzip".to_owned())?;
    limits::text(Some(expanded.len()))?;
    Ok(expanded)
}
