#!/usr/bin/env bash
# Makes the changes of the worked example in grammar/README.md in a copy of the project and checks
# that they work: that `a ?? b || c` becomes an operation of the new operator, and what it means.
set -euo pipefail
cd "$(dirname "$0")/.."
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r Cargo.toml Cargo.lock build.rs grammar src README.md examples benches tests tools "$copy"/
cat >"$copy/examples/worked.rs" <<'RUST'
use hcl_lr::model::Value;
use hcl_lr::syntax::ast::ExpressionKind;

fn main() {
    let file = hcl_lr::parse("x = a ?? b || c\n").into_result().expect("no errors");
    let expression = file.body().attribute("x").expect("x").expression();
    let ExpressionKind::Binary(operation) = expression.kind() else { panic!("{expression:?}") };
    assert_eq!((operation.operator().as_str(), operation.right().text()), ("??", "b || c"));
    let text = "[null ?? 1, 2 ?? 1, 2 ?? null, null ?? false || true]";
    let tuple = hcl_lr::parse(&format!("x = {text}\n")).into_result().expect("no errors");
    let value = tuple.body().attribute("x").expect("x").expression().evaluate(&hcl_lr::Scope::new()).expect("a value");
    let expected = [Value::from(1), Value::from(2), Value::from(2), Value::from(true)];
    assert_eq!(value, Value::tuple(expected));
}
RUST
# The fenced blocks that are changes, with the line numbers that `patch` wants but does not need.
awk '/^```diff$/ { on = 1; next } /^```$/ { on = 0 } on' grammar/README.md >"$copy/change.diff"
python3 - "$copy" <<'PYTHON'
import pathlib, sys
root = pathlib.Path(sys.argv[1])
path, old, new = None, [], []
def apply():
    if path is None: return
    text = path.read_text()
    before, after = "".join(old), "".join(new)
    if text.count(before) != 1: sys.exit(f"the change does not fit {path.name}:\n{before}")
    path.write_text(text.replace(before, after))
for line in (root / "change.diff").read_text().splitlines(keepends=True):
    if line.startswith("--- "):
        apply(); old, new = [], []
    elif line.startswith("+++ b/"): path = root / line[6:].strip()
    elif line.startswith("+"): new.append(line[1:])
    elif line.startswith("-"): old.append(line[1:])
    else: old.append(line[1:]); new.append(line[1:])
apply()
PYTHON
CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}/worked" cargo run --quiet --manifest-path "$copy/Cargo.toml" --example worked
echo 'the worked example works'
