#!/usr/bin/env bash
# Checks the recipes of grammar/README.md: that each patch applies to the tree as it is, that the table
# there tells how many files it touches, and, with all of them applied to a copy of the project, that the program of
# each recipe works. With names of recipes as arguments, only these are applied and run.
#
# The patches are made with `git diff -U1`: with so little context, a change beside them does not break them.
set -euo pipefail
cd "$(dirname "$0")/.."

recipes=(coalesce power matches not factorial pipe raw-string let set import repeats)
selected=("${@:-${recipes[@]}}")
folder=grammar/recipes

for patch in "$folder"/*.patch; do
  name=$(basename "$patch" .patch)
  [[ " ${recipes[*]} " == *" $name "* ]] || { echo "tests/recipes.sh does not name the recipe $name" >&2; exit 1; }
done

# The files that the patches touch, as the table of grammar/README.md has them.
for name in "${recipes[@]}"; do
  files=$(git apply --numstat "$folder/$name.patch" | wc -l)
  grep -qF "| \`$name\` | $((files)) |" grammar/README.md ||
    { echo "in the table of grammar/README.md the row of $name must be: | \`$name\` | $((files)) |" >&2; exit 1; }
done
# An operator is a row of a table and what it means.
git apply --numstat "$folder/coalesce.patch" |
  awk '{ lines += $1 + $2 } END { exit !(lines <= 15) }' ||
  { echo 'the recipe for an operator touches more than 15 lines' >&2; exit 1; }
for name in coalesce power matches not; do
  git apply --numstat "$folder/$name.patch" | awk '{ files += 1 } END { exit !(files <= 2) }' ||
    { echo "the recipe $name, for an operator, touches more than 2 files" >&2; exit 1; }
done

rustfmt --check --edition 2024 "$folder"/*.rs

# Always the same place, so that Cargo replaces what it built there before.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}/recipes" RUSTFLAGS='-D warnings'
copy=$CARGO_TARGET_DIR/copy
trap 'rm -rf "$copy"' EXIT
rm -rf "$copy"
mkdir -p "$copy"
git ls-files -z --cached --others --exclude-standard |
  while IFS= read -r -d '' file; do [[ -f $file ]] && printf '%s\0' "$file"; done |
  tar --null --files-from - --create --file - | tar --extract --file - --directory "$copy"
folder=$copy/grammar/recipes
(
  # What is not in a repository of its own would be taken for a part of one around it.
  cd "$copy" && git -c init.defaultBranch=main init --quiet
  for name in "${recipes[@]}"; do
    git apply "$folder/$name.patch"
    cargo fmt --all --check
    git apply --reverse "$folder/$name.patch"
  done
  for name in "${selected[@]}"; do
    git apply --quiet "$folder/$name.patch" || { echo "$name does not apply beside the others" >&2; exit 1; }
  done
)

# The programs are a package of their own, so that nothing is built that only tests and benchmarks need.
package=$copy/crates/tools/recipes
mkdir -p "$package/src/bin"
cat >"$package/Cargo.toml" <<'TOML'
[package]
name = "recipes"
version = "0.0.0"
edition = "2024"
publish = false

[dependencies]
# With all that reads trees and is not part of the library.
hcl-lr = { path = "../../.." }
hcl-lr-cli = { path = "../../cli", default-features = false, features = ["grammar-kit"] }
TOML
cp "$folder/support.rs" "$package/src/lib.rs"
for name in "${selected[@]}"; do
  cp "$folder/$name.rs" "$package/src/bin/recipe-$name.rs"
done

cargo build --quiet --manifest-path "$package/Cargo.toml"
for name in "${selected[@]}"; do
  "$CARGO_TARGET_DIR/debug/recipe-$name" || { echo "the recipe $name does not work" >&2; exit 1; }
  echo "the recipe $name works"
done
