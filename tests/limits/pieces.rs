//! Every byte of a source is in exactly one token or in one piece between tokens.

use std::path::Path;

use crate::invariants::{put_together, put_together_as_anything};
use crate::{cases, needs};

#[test]
fn every_fixture() {
    let inputs = cases::inputs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures"));
    assert!(inputs.len() > 1_000);
    inputs.iter().for_each(|(_, bytes)| put_together_as_anything(bytes));
}

#[test]
#[ignore = "needs corpus"]
fn needs_corpus_every_file() {
    let files = cases::files_below(&needs::corpus());
    assert!(files.len() > 1_000);
    files.iter().for_each(|path| put_together(&std::fs::read(path).expect("a readable file")));
}

#[test]
fn any_bytes() {
    let pieces: &[u8] = b"a|b.c|. c|.\n/* x */ d| |  |\t|\n|\r\n|\r|\n\n|# x\n|// x\r\n|/* x|*/|[ /**/ * ]|[*]|. *|.*\
        |. 0|.1|(|)|[|]|{|}|=|:=|==|\"|${|${~|~}|%{ if a }|%{~ /**/ else ~}|%{endif}|%{ for x| in |%{ elif|<<EOT\n\
        |<<-EOT\r\n|\n  EOT \n|<<<<<<< a # b\n|$|$$|;|~|'|`|&|**|\\|\xff|\xc3|\0|\x1a|\xef\xbb\xbf|\xc2\xa0\
        |\xc3\xa9|\xe2\x80\x9c|1.5e3|...|::|?|,|-|for";
    let pieces: Vec<&[u8]> = pieces.split(|&byte| byte == b'|').collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % limit
    };
    for round in 0..20_000 {
        let mut bytes = Vec::new();
        for _ in 0..below(16) {
            if round % 8 == 0 {
                bytes.push(below(256) as u8);
            } else {
                bytes.extend_from_slice(pieces[below(pieces.len())]);
            }
        }
        put_together_as_anything(&bytes);
    }
}
