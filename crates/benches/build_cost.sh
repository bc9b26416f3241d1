#!/usr/bin/env bash
# Prints the cost of a clean build of programs that depend on the published package, with different features, and of
# programs that depend on hcl-edit and hcl-rs: packages, CPU seconds of a debug and of a release build, and the size of
# the released program. Then lists the slowest packages of each. CPU seconds grow when other programs run, so compare
# only rows of one run.
#
#   crates/benches/build_cost.sh [PACKAGES_TO_LIST [ROW …]]
set -euo pipefail
cd "$(dirname "$0")/../.."
listed=${1:-8}
shift || true
wanted=" $* "

.ci/package --allow-dirty --no-verify --quiet 2>/dev/null
target=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# As they will be in the registry: cargo looks for all of them, even for those that are not built.
patches=
for name in hcl-lr hcl-lr-derive hcl-lr-edit hcl-lr-language; do
  mkdir "$scratch/$name"
  tar xzf "$(ls -t "$target/package/$name"-[0-9]*.crate | head -n 1)" -C "$scratch/$name" --strip-components=1
  patches+="$name = { path = \"$scratch/$name\" }"$'\n'
done
# A package from a registry is not compiled incrementally.
export CARGO_INCREMENTAL=0

# program NAME DEPENDENCIES MAIN
names=()
program() {
  [[ $wanted == '  ' || $wanted == *" $1 "* ]] || return 0
  names+=("$1")
  mkdir -p "$scratch/$1/src"
  printf '[package]\nname = "program"\nversion = "0.0.0"\nedition = "2024"\n[dependencies]\n%s\n[patch.crates-io]\n%s\n[workspace]\n' "$2" \
    "$patches" >"$scratch/$1/Cargo.toml"
  echo "fn main() { let text = std::env::args().nth(1).unwrap(); $3 }" >"$scratch/$1/src/main.rs"
  (cd "$scratch/$1" && cargo fetch --quiet 2>/dev/null)
}
# ours NAME FEATURES MAIN [MORE DEPENDENCIES]
ours() {
  program "$1" "hcl-lr = { version = \"0.1\", $2 }
${4:-}
serde = { version = \"1\", features = [\"derive\"], optional = true }
[features]
default = [$([[ $2 == *serde* ]] && echo '"serde"')]" "$3"
}
parse='println!("{}", hcl_lr::parse::<hcl_lr::File>(text).diagnostics().render());'
edit='let file = hcl_lr::parse::<hcl_lr::File>(text).into_value(); let mut editor = hcl_lr_edit::Editor::new(&file);
  for attribute in file.body().attributes() { editor.set(attribute, "new"); }
  println!("{}", editor.finish().unwrap().text());'
eval='let body = hcl_lr::parse::<hcl_lr::Body>(text).into_value();
  println!("{:?}", body.attributes().into_value().iter().map(|a| a.evaluate(&hcl_lr::Scope::new())).collect::<Vec<_>>());'
functions='let body = hcl_lr::parse::<hcl_lr::Body>(text).into_value();
  let scope = hcl_lr::Scope::new().with_functions(hcl_lr::functions::standard());
  println!("{:?}", body.attributes().into_value().iter().map(|a| a.evaluate(&scope)).collect::<Vec<_>>());'
serde='#[derive(Debug, serde::Deserialize, serde::Serialize)] struct Config { name: String, port: u16 }
  let config: Config = hcl_lr::from_str(&text).unwrap(); println!("{}", hcl_lr::to_string(&config).unwrap());'

ours parse 'default-features = false' "$parse"
ours edit 'default-features = false' "$edit" 'hcl-lr-edit = { version = "0.1", default-features = false }'
ours default 'features = []' "$eval"
ours grammar 'features = ["grammar"]' "$eval"
ours functions 'features = ["standard-functions"]' "$functions"
ours serde 'features = ["serde"]' "$serde"
ours everything 'features = ["functions", "decode", "serde", "derive", "write"]' "$serde" 'hcl-lr-edit = "0.1"
hcl-lr-language = "0.1"'
program hcl-edit 'hcl-edit = "0.10"' 'println!("{}", hcl_edit::parser::parse_body(&text).unwrap());'
program hcl-rs $'hcl-rs = "0.20"\nserde = { version = "1", features = ["derive"] }' \
  '#[derive(Debug, serde::Deserialize, serde::Serialize)] struct Config { name: String, port: u16 }
  let config: Config = hcl::from_str(&text).unwrap(); println!("{}", hcl::to_string(&config).unwrap());'

# Prints user and system seconds of what it runs.
TIMEFORMAT='%U %S'
seconds() {
  local log
  { time "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }; } 2>"$scratch/time"
  awk '{ printf "%.1f", $1 + $2 }' "$scratch/time"
}
printf '%-12s %9s %9s %9s %9s %12s\n' 'clean build' packages 'debug s' 'release s' 'both s' 'bytes'
for name in "${names[@]}"; do
  cd "$scratch/$name"
  debug=$(seconds cargo build --quiet --offline --timings)
  release=$(seconds cargo build --quiet --offline --release --timings)
  packages=$(cargo tree --edges normal,build --prefix none --no-dedupe 2>/dev/null | awk '{ print $1, $2 }' | sort -u | wc -l)
  bytes=$(wc -c <target/release/program)
  awk -v n="$name" -v p="$((packages - 1))" -v d="$debug" -v r="$release" -v b="$bytes" \
    'BEGIN { printf "%-12s %9d %9.1f %9.1f %9.1f %12d\n", n, p, d, r, d + r, b }'
done

# The report of cargo has a line for each unit, with how long it took from start to end.
for name in "${names[@]}"; do
  ((listed)) || break
  printf '\n%s: wall seconds by package, debug and release together\n' "$name"
  cat "$scratch/$name"/target/cargo-timings/cargo-timing-*T*.html |
    tr -d '\n' | grep -o '"name": *"[^"]*",[^{}]*"duration": *[0-9.]*' |
    sed 's/"name": *"\([^"]*\)".*"duration": *\([0-9.]*\)/\1 \2/' |
    awk '{ sum[$1] += $2 } END { for (name in sum) printf "%6.1f  %s\n", sum[name], name }' | sort -rn | head -n "$listed" || true
done
