//! Changes one value in a file and keeps every other byte. `crates/benches/examples/peers.rs` does the same with hcl-edit.
//!
//! ```sh
//! cargo run --example change_value -- service.hcl image '"web:2.0"' >changed.hcl
//! ```

use hcl_lr::source::Replacement;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, name, text] = &arguments[..] else { return Err("usage: change_value FILE NAME TEXT".into()) };
    let file = hcl_lr::parse_file::<hcl_lr::File>(path).into_result()?;
    let attribute = file.body().attribute(name).ok_or("there is no such attribute")?;
    let change = Replacement::new(attribute.expression().span(), text.clone());
    print!("{}", Replacement::apply(&[change], file.source().text())?);
    Ok(())
}
