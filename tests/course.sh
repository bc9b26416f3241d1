#!/usr/bin/env bash
# Runs the course of grammar/README.md as it is written, in a copy of the project. Each fence `sh` is a step, and a fence `text`
# below it is all that the step prints. Steps without such a fence must succeed. `second terminal` beside the name of a fence is a
# command that goes on, `watch`, and what it prints up to the line in which it waits; it ends with the first step after that. For each step its seconds are printed: those
# that pass, and those of the processor. With UPDATE_GOLDEN=1, what is printed is written into the guide.
set -euo pipefail
cd "$(dirname "$0")/.."

guide=$PWD/grammar/README.md
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}/course"
copy=$CARGO_TARGET_DIR/copy
work=$(mktemp -d)
second=''
end_second() {
  [[ -z $second ]] || { kill -- "-$second" && wait "$second" || true; } 2>/dev/null
  second=''
}
trap 'end_second; rm -rf "$work" "$copy"' EXIT
rm -rf "$copy"
mkdir -p "$copy"
git ls-files -z --cached --others --exclude-standard |
  while IFS= read -r -d '' file; do [[ -f $file ]] && printf '%s\0' "$file"; done |
  tar --null --files-from - --create --file - | tar --extract --file - --directory "$copy"
cd "$copy"
git -c init.defaultBranch=main init --quiet
git add --all
git -c user.name=course -c user.email=course@example.org commit --quiet --message 'a checkout'

fence='' step='' failed=0 count=0 status=0 is_course=0
: >"$work/printed"

# Runs the commands of a step. The last one may fail if what it prints is shown below it.
run() {
  count=$((count + 1))
  # Both would build.
  ! grep -q '^cargo' "$work/commands" || end_second
  step=$(head -n 1 "$work/commands")
  local TIMEFORMAT='%R s, processor %U s'
  { time { bash -euo pipefail "$work/commands" >"$work/printed" 2>&1 && status=0 || status=$?; }; } 2>"$work/time"
  echo "step $count: $(cat "$work/time"): $step"
}

# Starts the command that goes on, in a process group of its own, and reads what it prints first.
start_second() {
  step=$(head -n 1 "$work/commands")
  set -m
  coproc terminal { exec bash -euo pipefail "$work/commands" 2>&1; }
  set +m
  second=$terminal_PID
  exec 3<&"${terminal[0]}"
  read_second
}

# Reads what the command that goes on prints, up to the line in which it waits.
read_second() {
  local line
  : >"$work/printed"
  while IFS= read -r line <&3; do
    [[ $line != '— waiting for '* ]] || return 0
    printf '%s\n' "$line" >>"$work/printed"
  done
  fail 'the second terminal ends'
}

fail() {
  echo "error: grammar/README.md: after \`$step\` $1" >&2
  failed=1
}

while IFS= read -r line; do
  case $line in
  '## A course'*) is_course=1 ;;
  '## '*) is_course=0 ;;
  esac
  case $is_course:$fence:$line in
  '1::```sh' | '1::```sh second terminal') fence=${line#'```'} && : >"$work/commands" ;;
  '1:sh second terminal:```') fence='' && start_second ;;
  '1:sh:```') fence='' && run ;;
  1:sh*:*) printf '%s\n' "$line" >>"$work/commands" ;;
  '1::```text' | '1::```text second terminal')
    fence=text status=0
    : >"$work/expected"
    [[ $line == '```text' ]] || read_second
    ;;
  '1:text:```')
    fence=''
    if [[ -n ${UPDATE_GOLDEN:-} ]]; then
      cat "$work/printed" >>"$work/guide"
    elif ! diff "$work/expected" "$work/printed"; then
      fail 'this is printed (`>`), not what is shown (`<`)'
    fi
    ;;
  1:text:*) printf '%s\n' "$line" >>"$work/expected" ;;
  # The next step, or text: what was printed before is not shown.
  1::*)
    if [[ -n $line && $status != 0 ]]; then
      cat "$work/printed" >&2
      fail "the status is $status"
      status=0
    fi
    ;;
  esac
  [[ $fence == text && $line != '```text'* ]] || printf '%s\n' "$line" >>"$work/guide"
done <"$guide"

[[ $count -ge 6 ]] || { echo 'error: grammar/README.md has fewer steps than 6 in its course' >&2; exit 1; }
[[ -z ${UPDATE_GOLDEN:-} ]] || cp "$work/guide" "$guide"
exit "$failed"
