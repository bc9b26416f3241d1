#!/usr/bin/env bash
# What a clean build costs a program that depends on this package: CPU seconds and wall time, debug and release
# together, with default features, with the feature `serde`, without the feature `grammar`, and beside a program that depends on hcl-rs.
# Then, for each, the crates that take longest. Nothing else should run meanwhile.
#
#   benches/build_cost.sh [CRATES_TO_LIST]
set -euo pipefail
cd "$(dirname "$0")/.."
listed=${1:-8}

.ci/package --allow-dirty --no-verify --quiet 2>/dev/null
target=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/package"
tar xzf "$(ls -t "$target"/package/hcl-lr-[0-9]*.crate | head -n 1)" -C "$scratch/package" --strip-components=1

# program NAME DEPENDENCY MAIN
program() {
  mkdir -p "$scratch/$1/src"
  printf '[package]\nname = "%s"\nversion = "0.0.0"\nedition = "2024"\n[dependencies]\n%s\n[workspace]\n' "$1" "$2" \
    >"$scratch/$1/Cargo.toml"
  echo "$3" >"$scratch/$1/src/main.rs"
  (cd "$scratch/$1" && cargo fetch --quiet)
}
main='fn main() { println!("{}", hcl_lr::parse(std::env::args().nth(1).unwrap()).diagnostics()); }'
program default 'hcl-lr = { path = "../package" }' "$main"
program serde 'hcl-lr = { path = "../package", features = ["serde"] }' "$main"
program without-grammar 'hcl-lr = { path = "../package", default-features = false }' "$main"
program hcl-rs 'hcl-rs = "0.20"' 'fn main() { println!("{:?}", hcl::parse(&std::env::args().nth(1).unwrap())); }'

# Prints the CPU seconds and the wall time of what it runs, after one another.
TIMEFORMAT='%U %S %R'
printf '%-16s %8s %8s %8s\n' 'clean build of' 'CPU s' 'wall s' 'crates'
for name in default serde without-grammar hcl-rs; do
  cd "$scratch/$name"
  { time { cargo build --quiet --offline --timings; cargo build --quiet --offline --release --timings; } >/dev/null 2>&1; } 2>../time
  cargo tree --edges normal,build --prefix none --no-dedupe | sort -u >../crates
  awk -v name="$name" -v crates="$(wc -l <../crates)" '{ printf "%-16s %8.1f %8.1f %8d\n", name, $1 + $2, $3, crates - 1 }' ../time
done

# The report of cargo has a line for each unit, with how long it took from start to end.
for name in default serde without-grammar hcl-rs; do
  printf '\n%s: seconds by crate, debug and release together\n' "$name"
  cat "$scratch/$name"/target/cargo-timings/cargo-timing-*T*.html |
    tr -d '\n' | grep -o '"name": *"[^"]*",[^{}]*"duration": *[0-9.]*' |
    sed 's/"name": *"\([^"]*\)".*"duration": *\([0-9.]*\)/\1 \2/' |
    awk '{ sum[$1] += $2 } END { for (name in sum) printf "%6.1f  %s\n", sum[name], name }' | sort -rn | head -n "$listed"
done
