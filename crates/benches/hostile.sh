#!/usr/bin/env bash
# Runs each of the hostile inputs in tests/fixtures/hostile through the programs, within 10 million steps and
# 256 MiB, and prints how long it takes, on the clock and of a processor, and how much memory the process has at
# most. What takes more than a second of a processor or 300 MB, or ends otherwise than with `limit-exceeded` (or of itself, where that is expected), is
# marked, and the script ends with status 1. Needs GNU time, as /usr/bin/time or `$TIME`.
#
#   cargo build --release --package hcl-lr-cli --package hcl-lr-benches --bins
#   crates/benches/hostile.sh [FOLDER OF THE PROGRAMS]
set -u
here=$(cd "$(dirname "$0")" && pwd)
programs=$(cd "${1:-$here/../../target/release}" && pwd) || exit 2
cd "$here/../../tests/fixtures/hostile" || exit 2
time=${TIME:-/usr/bin/time}
if ! "$time" -f %M true 2> /dev/null; then
  echo "GNU time is needed to measure memory" >&2
  exit 2
fi
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
# The files of the cases, beside the tables.
"$programs/read_hostile" --files "$work/inputs" && cp -r ./*.txt serde "$work/inputs" && cd "$work/inputs" || exit 2
limits=(--max-steps 10000000 --max-memory 256M)
"$programs/hcl" eval variables.hcl --output json > "$work/variables.json" || exit 2

count=0 slow=0 large=0 otherwise=0 most_seconds=0 most_memory=0
printf '%8s %8s %8s  %-16s %s\n' seconds cpu MB ends input

# run EXPECTED NAME COMMAND...
run() {
  local expected=$1 name=$2 ends mark=""
  shift 2
  "$time" -q -o "$work/time" -f '%e %U %S %M' "$@" > /dev/null 2> "$work/errors"
  local status=$?
  read -r elapsed user system memory < "$work/time"
  seconds=$(awk "BEGIN { print $user + $system }")
  memory=$((memory * 1024 / 1000000))
  if grep -q '^error\[limit-exceeded\]' "$work/errors"; then ends=limit-exceeded
  elif [ "$expected" = nesting-too-deep ] && grep -q '^error\[nesting-too-deep\]' "$work/errors"; then ends=$expected
  elif [ $status -le 1 ] || grep -q '^error: to print the value' "$work/errors"; then ends="of itself"
  else ends="status $status"; fi
  count=$((count + 1))
  if [ "$ends" != "$expected" ]; then otherwise=$((otherwise + 1)); mark=" <- not $expected"; fi
  if awk "BEGIN { exit !($seconds > 1) }"; then slow=$((slow + 1)); mark+=" <- slow"; fi
  if [ "$memory" -gt 300 ]; then large=$((large + 1)); mark+=" <- large"; fi
  most_seconds=$(awk "BEGIN { print ($seconds > $most_seconds) ? $seconds : $most_seconds }")
  most_memory=$((memory > most_memory ? memory : most_memory))
  printf '%8s %8s %8s  %-16s %.90s%s\n' "$elapsed" "$seconds" "$memory" "$ends" "$name" "$mark"
}

# Writes out a line of a table, as README.md there says.
expression() {
  awk '
    function repeated(text, times,   all) { while (times-- > 0) all = all text; return all }
    {
      parts = split($0, part, " -> ")
      first = part[1]; sub(/^[0-9]+ [a-z]+ /, "", first)
      if (parts == 3 && $2 == "times" && $1 ~ /^[0-9]+$/)
        print "[for x in [" first "]: " repeated("[for x in [" part[2] "]: ", $1) part[3] repeated("][0]", $1 + 1)
      else if (parts == 3 && $2 == "deep" && $1 ~ /^[0-9]+$/)
        print repeated(first, $1) part[2] repeated(part[3], $1)
      else if (parts == 3 && $2 == "each" && $1 ~ /^[0-9]+$/) {
        printf "%s", first
        for (number = 0; number < $1; number++) { one = part[2]; gsub("#", number, one); printf "%s", one }
        print part[3]
      } else print
    }'
}

for table in *.txt; do
  while IFS= read -r line; do
    case $line in "" | "# "*) continue ;; esac
    expected=limit-exceeded
    case $line in "done: "*) expected="of itself" line=${line#done: } ;; esac
    expression <<< "$line" > "$work/expression"
    run "$expected" "$line" "$programs/hcl" eval "${limits[@]}" --vars variables.hcl \
      --expr "$(cat "$work/expression")"
  done < "$table"
done
for spec in *.hcldec; do
  name=${spec%.hcldec}
  case $name in
    dynamic*) run limit-exceeded "$name.hcl" "$programs/hcl" eval "${limits[@]}" --vars variables.hcl --dynamic "$name.hcl" ;;
    *) run limit-exceeded "$name.hcl" "$programs/hcldec" "${limits[@]}" --vars "$work/variables.json" \
      --functions extended --spec "$spec" "$name.hcl" ;;
  esac
done
for file in query-*.hcl; do
  run limit-exceeded "$file" "$programs/hcl" query '**' --where 'has(nothing)' "${limits[@]}" "$file"
done
for file in definitions-*.hcl; do
  run "of itself" "$file" "$programs/hcl" eval --schema terraform "${limits[@]}" "$file"
done
for folder in modules-*/; do
  expected="of itself"
  if head -1 "$folder/main.tf" | grep -q '^# limit-exceeded'; then expected=limit-exceeded; fi
  run "$expected" "$folder" "$programs/hcl" eval --schema terraform "${limits[@]}" "$folder"
done
for document in *.json; do
  run limit-exceeded "$document" "$programs/hcl" eval "${limits[@]}" --vars variables.hcl "$document"
done
for template in *.tftpl; do
  run limit-exceeded "$template" "$programs/hcl" template "${limits[@]}" --vars variables.hcl "$template"
done

# Reading into Rust types has the limits of the reader, and ends without other limits.
while IFS= read -r line; do
  case $line in "" | "# "*) continue ;; esac
  expected="of itself"
  case $line in
    "limit: "*) expected=limit-exceeded line=${line#limit: } ;;
    "nested: "*) expected=nesting-too-deep line=${line#nested: } ;;
  esac
  run "$expected" "$line" "$programs/read_hostile" "$line"
done < serde/inputs.txt

echo "$count inputs: $otherwise end otherwise, $slow take more than 1 s of a processor (at most $most_seconds s)," \
  "$large more than 300 MB (at most $most_memory MB)"
[ $((otherwise + slow + large)) -eq 0 ]
