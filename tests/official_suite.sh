#!/usr/bin/env bash
# Runs the official suite with its own runner, both fetched as they are, on our `hcldec`, and on our own
# suite too. Everything must pass but what is listed below. Needs Go and the network, or the module in
# Go's cache; without them it says that it was skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

module=github.com/hashicorp/hcl/v2
version=v2.24.0

# One number of one file: `11 % 5.1` is exactly 0.8, as the specification has it (DIVERGENCES.md); the
# suite wants the rounding of binary floats.
expected='expressions/operators.hcl arithmetic.mod_frac'

if ! command -v go >/dev/null; then
  echo 'official suite: skipped, there is no Go'
  exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export GOFLAGS=-mod=mod
if ! source=$(cd "$scratch" && go mod download -json "$module@$version" 2>/dev/null | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p') ||
  [[ -z $source ]]; then
  echo 'official suite: skipped, the module cannot be downloaded'
  exit 0
fi
if ! GOBIN="$scratch" go install "$module/cmd/hclspecsuite@$version" 2>"$scratch/log"; then
  echo 'official suite: skipped, its runner cannot be built:'
  tail -n 3 "$scratch/log"
  exit 0
fi

cargo build --quiet --package hcl-lr-cli --bin hcldec
hcldec=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/debug/hcldec

# The runner wraps its lines; what failed is read from where it says which file and which part it is.
"$scratch/hclspecsuite" "$source/specsuite/tests" "$hcldec" >"$scratch/out" 2>&1 || true
tests=$(grep '^- ' "$scratch/out" | sort -u | wc -l)
errors=$(grep -c '^Error: ' "$scratch/out" || true)
if ((tests < 12)); then
  echo "official suite: only $tests tests were run:" >&2
  cat "$scratch/out" >&2
  exit 1
fi
parts=$(sed -n 's/^{cty.Value}\(\[.*\)$/\1/p' "$scratch/out" | tr -d '"' | sed 's/\]\[/./g; s/[][]//g')
files=$(grep -o 'specsuite/tests/[^ ]*\.hcl' "$scratch/out" | sed 's,.*specsuite/tests/,,' | sort -u)
if [[ $errors != 1 || "$files $parts" != "$expected" ]]; then
  echo "official suite: expected to fail is only: $expected" >&2
  cat "$scratch/out" >&2
  exit 1
fi
echo "official suite: $tests tests, all pass but $expected"

# Our own suite must be understood by the official runner, too. It takes the range of each traversal to
# be none at all, which is no fault of ours.
HCL_LR_SUITE="$scratch/suite" cargo test --quiet --test eval suite:: >/dev/null
"$scratch/hclspecsuite" "$scratch/suite" "$hcldec" >"$scratch/out" 2>&1 || true
if grep '^Error: ' "$scratch/out" | grep -v 'position in detected traversal'; then
  cat "$scratch/out" >&2
  exit 1
fi
echo "own suite by the official runner: $(grep '^- ' "$scratch/out" | sort -u | wc -l) tests, all pass"
