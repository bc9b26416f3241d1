//! The program `hcl`.
fn main() {
    let out = std::io::BufWriter::new(std::io::stdout().lock());
    hcl_lr::cli::conformance::run(std::io::stdin().lock(), out).unwrap();
}
