//! Prints all errors of many files. `crates/benches/examples/peers.rs` does the same with hcl-edit.
//!
//! ```sh
//! cargo run --example check_files -- *.tf
//! ```

fn main() {
    let mut diagnostics = hcl_lr::Diagnostics::new();
    for path in std::env::args().skip(1) {
        hcl_lr::parse_file::<hcl_lr::File>(&path).report_to(&mut diagnostics);
    }
    eprint!("{}", diagnostics.render());
    std::process::exit(diagnostics.has_errors().into());
}
