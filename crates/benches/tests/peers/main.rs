//! The same five programs with hcl-rs and with this crate: how long they are, and what they print.
//!
//! `NAME_hcl_rs.rs` and `NAME_here.rs` read the file of a case of `fixtures/serde/peers`, and then
//! `mistakes.hcl` with five mistakes. `output` has the number of lines of each, without blank ones and comments, and what
//! each prints.

use std::fmt::Write as _;

#[path = "../../../../tests/support/cases.rs"]
mod cases;
#[path = "../../../../tests/support/example.rs"]
mod example;
mod examples;
#[path = "../../../../tests/support/golden.rs"]
mod golden;
mod writing;

use golden::Golden;

macro_rules! programs {
    ($($name:ident $peer:ident $here:ident;)+) => {
        $(mod $peer; mod $here;)+

        const PROGRAMS: &[(&str, [Program; 2])] = &[$((stringify!($name), [
            Program { who: "hcl-rs", source: include_str!(concat!(stringify!($peer), ".rs")), run: $peer::run },
            Program { who: "hcl-lr", source: include_str!(concat!(stringify!($here), ".rs")), run: $here::run },
        ])),+];
    };
}

programs! {
    attributes attributes_hcl_rs attributes_here;
    blocks blocks_hcl_rs blocks_here;
    labels labels_hcl_rs labels_here;
    enums enums_hcl_rs enums_here;
    spans spans_hcl_rs spans_here;
}

struct Program {
    who: &'static str,
    source: &'static str,
    run: fn(&str) -> Result<String, String>,
}

impl Program {
    fn lines(&self) -> usize {
        let lines = self.source.lines().map(str::trim);
        lines.filter(|line| !line.is_empty() && !line.starts_with("//") && !line.starts_with("#![")).count()
    }
}

#[test]
fn programs_print_what_is_recorded() {
    let mut golden = Golden::new();
    for (name, programs) in PROGRAMS {
        let case = golden::case_named("serde/peers", name);
        let (right, wrong) = (case.text("hcl"), case.file("mistakes.hcl").expect("the mistakes").text());
        let mut found = String::new();
        for program in programs {
            let _ = writeln!(found, "# {}: {} lines", program.who, program.lines());
            let printed = (program.run)(right).unwrap_or_else(|why| panic!("{name}, {}: {why}", program.who));
            let _ = writeln!(found, "\n{}\n\n## with five mistakes\n", printed.trim_end());
            let printed = (program.run)(wrong).expect_err("mistakes");
            let _ = writeln!(found, "{}\n", printed.trim_end());
        }
        golden.check_case(&case, "output", &found);
    }
    golden.finish();
}
