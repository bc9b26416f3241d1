# A pipeline, as examples/pipeline.rs and `hcldec --spec examples/pipeline.hcldec` read it.

name = "release"

stage {
  image    = "${registry}/${image("Rust", 1.88)}"
  commands = [for feature in ["default", "cli"] : "cargo test --features ${feature}"]
  timeout  = 900

  environment {
    RUST_BACKTRACE = 1
  }
}

stage {
  image    = "${registry}/${image("Debian", "stable")}"
  commands = ["./package.sh"]
}

artifact "program" {
  path = "target/release/app"
}
