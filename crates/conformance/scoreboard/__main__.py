"""Makes the scoreboard: how implementations of HCL answer the suite, as numbers, Markdown and a page.

    python3 crates/conformance/scoreboard [--hcl PROGRAM] [--corpus FOLDER] [--only NAME]… [--out FOLDER]
    python3 crates/conformance/scoreboard --keep-times   the times and memory that there are stay as they are
    python3 crates/conformance/scoreboard --no-times   no other times are measured, as on a machine that is busy
    python3 crates/conformance/scoreboard --render    the documents anew, from the numbers that there are
    python3 crates/conformance/scoreboard --check     fails if the documents are not what the numbers make

Builds the drivers in `crates/conformance/drivers` as far as their languages are at hand, and says which are left out.
Writes `crates/conformance/scoreboard.json` and, from it alone, `docs/scoreboard.md`, `docs/scoreboard.html`,
`docs/decisions.md` and `docs/badges`; with `--out`, all of them into a folder. It needs nothing but Python. The machine should have nothing else to do.
"""

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True

import badges
import decisions
import document
import implementations
import measure
import page
from driver import Died

ROOT = implementations.ROOT

class Place:
    """Where the numbers are, and the documents."""

    def __init__(self, folder):
        documents = folder or ROOT / "docs"
        self.numbers = (folder or ROOT / "crates/conformance") / "scoreboard.json"
        self.documents = [
            (documents / "scoreboard.md", document.text),
            (documents / "scoreboard.html", page.text),
            (documents / "decisions.md", decisions.text),
        ]
        self.badges = documents / "badges"

    def made(self):
        numbers = json.loads(self.numbers.read_text(encoding="utf-8"))
        made = [(path, make(numbers)) for path, make in self.documents]
        return made + [(self.badges / name, text) for name, text in badges.files(numbers)]

    def render(self):
        self.badges.mkdir(parents=True, exist_ok=True)
        for path, text in self.made():
            path.write_text(text, encoding="utf-8", newline="\n")
            say(f"wrote {path}")
        return 0

    def check(self):
        old = [path for path, text in self.made() if not path.exists() or path.read_text(encoding="utf-8") != text]
        for path in old:
            say(f"{path} is not what the numbers make: run `python3 crates/conformance/scoreboard --render`")
        return 1 if old else 0


def say(text):
    print(text, file=sys.stderr, flush=True)


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def conditions():
    return {"system": platform.system(), "processor": processor(), "processors": os.cpu_count(), "load": load()}


def tools():
    """The versions of the languages that are at hand."""
    found = {"Python": platform.python_version()}
    for name, command in [("Go", "go version"), ("Node.js", "node --version"), ("Rust", "rustc --version"),
                          ("Java", "java --version")]:
        try:
            said = subprocess.run(command.split(), capture_output=True, text=True).stdout.strip()
            found[name] = said.splitlines()[0] if said else "unknown"
        except OSError:
            continue
    return found


def measured(implementation, hcl, suite_path, suite, files, old, times):
    command = implementation.build()
    start = time.monotonic()
    result = {"key": implementation.key, "language": implementation.language, "reads": implementation.reads}
    if implementation.note:
        result["note"] = implementation.note
    result.update(measure.suite(hcl, command, suite_path, *suite))
    result["decisions"] = measure.decisions(command, result["about"], suite[0])
    if files is not None:
        result["corpus"] = measure.corpus(command, files)
    if old:
        result["speed"] = old
    elif times:
        result["speed"] = {**measure.speed(command), "date": today(), "load": load()}
    else:
        result["speed"] = measure.NO_SPEED
    say(f"{implementation.key}: {result['counts']['wrong']} wrong; {time.monotonic() - start:.0f} seconds")
    return result


def today():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")


def load():
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def kept(options):
    """The times of the numbers that there are."""
    if not options.keep_times or not options.out.numbers.exists():
        return {}
    old = json.loads(options.out.numbers.read_text(encoding="utf-8"))
    when = {"date": old["date"], "load": old["conditions"]["load"]}
    dated = lambda speed: speed if speed == measure.NO_SPEED else {**when, **speed}
    return {one["key"]: dated(one["speed"]) for one in old["implementations"]}


def run(options):
    hcl = options.hcl.resolve()
    if not hcl.exists():
        say(f"error: {hcl} is not there: build it with `cargo build --release --all-features`, or name one with --hcl")
        return 2
    suite_path = ROOT / "crates/conformance/suite.jsonl"
    figures, *suite = measure.read_suite(suite_path)
    old = kept(options)
    files = measure.read_corpus(options.corpus) if (options.corpus / "manifest.jsonl").exists() else None
    if files is None:
        say(f"skipped: there is no corpus at {options.corpus}")
    numbers = {
        "form": 2,
        "date": today(),
        "conditions": conditions(),
        "tools": tools(),
        "suite": figures,
        "statements": measure.decided_statements(*suite),
        "corpus": None if files is None else len(files),
        "implementations": [],
        "skipped": [],
    }
    for implementation in implementations.all_of(hcl):
        if options.only and implementation.key not in options.only:
            continue
        try:
            numbers["implementations"].append(measured(implementation, hcl, suite_path, suite, files, old.get(implementation.key), not options.no_times))
        except (implementations.CannotBuild, Died) as why:
            say(f"skipped: {implementation.key}: {why}")
            numbers["skipped"].append({"key": implementation.key, "why": str(why)})
    options.out.numbers.write_text(written(numbers), encoding="utf-8", newline="\n")
    return options.out.render()


def written(numbers):
    """The numbers, with a line for each chapter: short, and still good to compare."""
    text = json.dumps(numbers, ensure_ascii=False, separators=(",", ":"))
    return text.replace('{"name":', '\n{"name":').replace('{"key":', '\n{"key":') + "\n"


def main():
    options = argparse.ArgumentParser(
        prog="scoreboard", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--hcl", type=Path, default=ROOT / "target" / "release" / "hcl", metavar="PROGRAM")
    options.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus", metavar="FOLDER")
    options.add_argument("--only", action="append", metavar="NAME")
    options.add_argument("--out", type=lambda path: Place(Path(path)), default=Place(None), metavar="FOLDER")
    options.add_argument("--keep-times", action="store_true")
    options.add_argument("--no-times", action="store_true")
    options.add_argument("--render", action="store_true")
    options.add_argument("--check", action="store_true")
    options = options.parse_args()
    if options.check:
        return options.out.check()
    return options.out.render() if options.render else run(options)


sys.exit(main())
