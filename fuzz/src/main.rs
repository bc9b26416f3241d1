//! All fuzz targets in one program, which takes the name of one in the environment, as `FUZZ_TARGET`.
#![no_main]

use std::sync::LazyLock;

use hcl_lr_fuzz::targets::TARGETS;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    let found = TARGETS.iter().find(|(known, _)| *known == name);
    let Some((_, target)) = found else {
        let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
        eprintln!("FUZZ_TARGET must be one of {}", names.join(", "));
        std::process::exit(2);
    };
    *target
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| TARGET(bytes));
