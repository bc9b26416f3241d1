//! Reads one of the hostile inputs for serde, by its line, into its type, with the limits that `Reader` has by default.
//! `crates/benches/hostile.sh` measures it. The status is 1 if something is wrong with the input, as with `hcl`.

#[path = "../../../tests/fixtures/hostile/serde/types.rs"]
#[allow(dead_code, reason = "only errors are looked at")]
mod types;

use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(line) = std::env::args().nth(1) else {
        eprintln!("usage: read_hostile LINE");
        return ExitCode::from(2);
    };
    // As much as a thread of a program has by default.
    let read = move || types::Hostile::of_line(&line, usize::MAX).read(&hcl_lr::serde::Reader::new());
    let errors = std::thread::spawn(read).join().expect("it ends");
    for error in &errors {
        eprintln!("error[{}]: {}", error.code(), error.detail());
    }
    ExitCode::from(u8::from(errors.has_errors()))
}
