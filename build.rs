//! Compiles the grammars of `grammar/` to parsers in cargo's output folder.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    lalrpop::Configuration::new()
        .set_in_dir("grammar")
        .set_out_dir(std::env::var("OUT_DIR")?)
        .emit_rerun_directives(true)
        .emit_whitespace(false)
        .process()
}
