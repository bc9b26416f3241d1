//! Compression by gzip (RFC 1952).

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use crate::limits::Account;

/// The number of bytes expanded at once.
const BLOCK: usize = 16 * 1024;

/// The bytes counted for a compressor, even for small inputs.
const TABLES: u64 = 128 * 1024;

pub(crate) fn compress(bytes: &[u8], account: &Account) -> std::io::Result<Vec<u8>> {
    // The tables of the compressor, which is created for each call.
    account.bytes(TABLES).map_err(std::io::Error::other)?;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Expands compressed bytes, unless the result exceeds the limit for texts: a few bytes can expand to billions.
pub(crate) fn expand(bytes: &[u8], account: &Account) -> Result<Vec<u8>, String> {
    let mut expanded = Vec::new();
    let mut decoder = GzDecoder::new(bytes);
    let mut block = [0; BLOCK];
    loop {
        // A few bytes may expand to a thousand times as many.
        account.more_text(expanded.len(), BLOCK).map_err(|exceeded| exceeded.to_string())?;
        match decoder.read(&mut block).map_err(|_| "this is not compressed with gzip".to_owned())? {
            0 => return Ok(expanded),
            count => expanded.extend_from_slice(&block[..count]),
        }
    }
}
