#!/usr/bin/env python3
"""Asks a driver all questions of the conformance suite: the second runner of the protocol, in one file.

    python3 run.py [options] -- DRIVER ARGUMENT…

It needs Python 3.9 or newer and `suite.jsonl`, which it looks for beside itself. It scores as `hcl conformance run`
does, and a test holds the two to the same report. PROTOCOL.md describes the questions and the answers.

Exit status: 0: nothing is wrong, or nothing has changed since the baseline; 1: something is wrong or has changed, or
the driver writes lines that are no answers; 2: nothing was answered, or the run cannot be done or finished.
"""

import argparse
import hashlib
import json
import queue
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

FORM, PROTOCOL = 2, 1
LEVELS = ["verdict", "tree", "value", "place", "code", "recovery"]
DECIDED = LEVELS[:3]
NEEDS = ["json", "unknowns", "types", "parsing"]
TREES = ["ast", "steps", "list", "map", "call", "args", "keyword", "variables", "tokens"]
VALUES = ["value", "values", "type"]
EXTRAS = {"missing", "content_missing", "range", "name_range", "expr_range", "expr_start", "label_ranges", "type_range",
          "variables"}
RIGHT, WRONG, MISSING = "right", "wrong", "unsupported"
DIGITS = 100  # of a number that count
MAX_FAULTS_IN_A_ROW, MAX_FAULTS, MAX_NOISE, MAX_LINE = 5, 50, 1000, 64 << 20


class Problem(Exception):
    """Why the run cannot be done."""


class Fault(Exception):
    """A failure of the driver at a question: its name, and what happened."""

    def __init__(self, name, what):
        super().__init__(what)
        self.name = name


# Comparing answers

def decimal(text):
    match = re.fullmatch(r"(-?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?", text)
    if not match or not (match[2] or match[3]):
        return None
    digits, power = match[2] + (match[3] or ""), int(match[4] or 0) - len(match[3] or "")
    trimmed = digits.rstrip("0")
    power += len(digits) - len(trimmed)
    significant = trimmed.lstrip("0")
    return (match[1], significant, power) if significant else ("", "", 0)


def same_numbers(wanted, got):
    one, two = decimal(wanted), decimal(got)
    if one is None or two is None:
        return wanted == got
    long = len(one[1]) > DIGITS and len(two[1]) > DIGITS
    first = one[0] == two[0] and one[2] + len(one[1]) == two[2] + len(two[1])
    return one == two or (long and first and one[1][:DIGITS] == two[1][:DIGITS])


def number(value):
    text = value.get("number") if len(value) == 1 else None
    return text if isinstance(text, str) else None


def collection(value, kinds, form):
    kind = next((kind for kind in kinds if kind in value), None)
    return value[kind] if kind and not set(value) - {kind, "of"} and isinstance(value[kind], form) else None


def same_sets(wanted, got, typed):
    return len(wanted) == len(got) and all(any(same(one, two, typed) for two in got) for one in wanted)


def same_lists(wanted, got, typed):
    return len(wanted) == len(got) and all(same(one, two, typed) for one, two in zip(wanted, got))


def same(wanted, got, typed=True):
    """Whether two parts of answers are equal: numbers by their value, sets in any order."""
    if isinstance(wanted, list) and isinstance(got, list):
        return same_lists(wanted, got, typed)
    if not (isinstance(wanted, dict) and isinstance(got, dict)):
        return type(wanted) is type(got) and wanted == got
    if number(wanted) is not None and number(got) is not None:
        return same_numbers(number(wanted), number(got))
    if not typed:
        sequences = ["list", "set", "tuple"]
        one, two = collection(wanted, sequences, list), collection(got, sequences, list)
        if one is not None and two is not None:
            return (same_sets if "set" in wanted else same_lists)(one, two, False)
        one, two = collection(wanted, ["map", "object"], dict), collection(got, ["map", "object"], dict)
        if one is not None and two is not None:
            return one.keys() == two.keys() and all(same(one[name], two[name], False) for name in one)
        if set(wanted) == {"null"}:
            return set(got) == {"null"}
    if wanted.keys() != got.keys():
        return False
    is_set = "set" in wanted and "of" in wanted

    def member(name, one, two):
        lists = isinstance(one, list) and isinstance(two, list)
        if is_set and name == "set" and lists:
            return same_sets(one, two, typed)
        if name in ("min", "max") and lists and len(one) == len(two) == 2 and all(isinstance(x[0], str) for x in (one, two)):
            return same_numbers(one[0], two[0]) and one[1] == two[1]
        return same(one, two, typed)

    return all(member(name, wanted[name], got[name]) for name in wanted)


def same_content(wanted, got, typed):
    if isinstance(wanted, list) and isinstance(got, list):
        return len(wanted) == len(got) and all(same_content(one, two, typed) for one, two in zip(wanted, got))
    if isinstance(wanted, dict) and isinstance(got, dict):
        return got.keys() - wanted.keys() <= EXTRAS and all(
            name in got and (same if name == "value" else same_content)(one, got[name], typed)
            for name, one in wanted.items()
        )
    return type(wanted) is type(got) and wanted == got


def contains_outline(wanted, got):
    def header(part):
        return part.get("attr"), part.get("block"), part.get("labels")

    rest = iter(got or [])
    return all(
        any(header(one) == header(two) and contains_outline(one.get("body", []), two.get("body")) for two in rest)
        for one in wanted or []
    )


def starts(answer):
    """The line and column of each error, in the order in which they are reported."""
    for found in answer.get("diags") or []:
        if found.get("severity") == "error":
            start = next((part for part in found.get("range") or [] if isinstance(part, list)), None)
            if start and len(start) > 1:
                yield start[0], start[1]


def score_at(level, wanted, answer, typed):
    ok = answer.get("ok")
    if not isinstance(ok, bool):
        return MISSING if "unsupported" in answer or level != "verdict" else WRONG
    if level == "recovery":
        found = not ok and contains_outline(wanted["survives"], answer.get("outline"))
        return MISSING if "outline" not in answer else RIGHT if found else WRONG
    right = wanted["ok"] == ok
    if level == "verdict":
        return RIGHT if right else WRONG
    if not right:
        return MISSING  # a wrong verdict is one mistake, and not one at each level
    if level == "value" and "content" in wanted:
        if "content" not in answer:
            return MISSING
        return RIGHT if same_content(wanted["content"], answer["content"], typed) else WRONG
    if level in ("tree", "value"):
        for name in TREES if level == "tree" else VALUES:
            if name in wanted:
                if name not in answer:
                    return MISSING
                if not same(wanted[name], answer[name], typed or level == "tree"):
                    return WRONG
        return RIGHT
    if level == "place":
        one, two = [(error["line"], error["column"]) for error in wanted.get("errors", [])], list(starts(answer))
        return MISSING if not two else RIGHT if one[:1] == two[:1] or min(one, default=None) == min(two) else WRONG
    return score_codes(wanted, answer)


def score_codes(wanted, answer):
    for member, severity in ("errors", "error"), ("warnings", "warning"):
        got = [found for found in answer.get("diags") or [] if found.get("severity") == severity]
        if any("code" not in found for found in got):
            return MISSING
        for at, one in enumerate(wanted.get(member, [])):
            if "code" in one:
                if at >= len(got):
                    return MISSING if at == 0 else WRONG
                if got[at]["code"] != one["code"]:
                    return WRONG
    return RIGHT


def levels_of(answer):
    """The levels that an answer of the suite is scored by."""
    if "survives" in answer:
        return ["recovery"]
    mistakes = answer.get("errors", []) + answer.get("warnings", [])
    has = {"verdict": True, "tree": any(name in answer for name in TREES),
           "value": any(name in answer for name in [*VALUES, "content"]), "place": bool(answer.get("errors")),
           "code": any("code" in mistake for mistake in mistakes)}
    return [level for level in LEVELS if has.get(level)]


# The driver

class Driver:
    def __init__(self, command, timeout):
        self.command, self.timeout = command, timeout
        self.in_a_row = self.faults = self.noise = 0
        self.first_noise = None
        self.start()

    def start(self):
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen(self.command, stdin=pipe, stdout=pipe)
        except OSError as why:
            raise Problem(f"cannot start {self.command[0]}: {why.strerror}") from None
        self.lines, self.asked, self.unfinished = queue.Queue(16), set(), [0]
        threading.Thread(target=read, args=(self.process.stdout, self.lines, self.unfinished), daemon=True).start()

    def ask(self, name, request):
        line = json.dumps({**request, "id": name}, ensure_ascii=False).encode() + b"\n"
        self.asked.add(name)
        threading.Thread(target=write, args=(self.process.stdin, line), daemon=True).start()
        try:
            answer = self.answer(name, time.monotonic() + self.timeout)
        except Fault as fault:
            self.faults += 1
            self.in_a_row += 1
            self.end()
            if self.in_a_row == MAX_FAULTS_IN_A_ROW:
                raise Problem(f"{self.in_a_row} requests in a row failed; the last one: {fault}") from None
            if self.faults == MAX_FAULTS:
                raise Problem(f"{self.faults} requests failed; the last one: {fault}") from None
            self.start()
            raise
        self.in_a_row = 0
        return answer

    def answer(self, name, until):
        for _ in range(MAX_NOISE):
            try:
                line = self.lines.get(timeout=max(until - time.monotonic(), 0.001))
            except queue.Empty:
                if self.unfinished[0]:
                    raise Fault("answer without a newline",
                                f"the driver wrote {self.unfinished[0]} bytes and no newline after them: end "
                                "each answer with a newline and flush it") from None
                raise Fault("no answer in time", "the driver gave no answer in time") from None
            if line is None:
                raise Fault("ended", f"the driver ended with exit status: {self.status()}")
            if len(line) > MAX_LINE:
                break
            try:
                answer = json.loads(line)
            except (ValueError, RecursionError):
                if line.lstrip().startswith(b"{"):
                    raise Fault("invalid JSON", f"the driver wrote a line that is not valid JSON: {shown(line)}") from None
                answer = None
            if isinstance(answer, dict):
                got = answer.pop("id", None)
                if got == name:
                    return answer
                if got in self.asked:
                    raise Fault("answer to another request", f"the answer has the `id` {json.dumps(got)}, which is that of another request")
                if got is None and {"ok", "unsupported", "bad_request", "name"} & answer.keys():
                    raise Fault("answer without id", f"the answer does not repeat the `id` of its request: {shown(line)}")
            self.noise += 1
            self.first_noise = self.first_noise or shown(line)
        raise Fault("too much output", f"the driver wrote more than {MAX_NOISE} lines or {MAX_LINE >> 20} MB for one answer")

    def status(self):
        try:
            return self.process.wait(0.3)
        except subprocess.TimeoutExpired:
            return "none, but it closed its output"

    def end(self):
        threading.Thread(target=close, args=(self.process.stdin,), daemon=True).start()
        try:
            self.process.wait(0.3)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def read(output, lines, unfinished):
    rest = b""
    while chunk := output.read1(1 << 16):
        *whole, rest = (rest + chunk).split(b"\n")
        unfinished[0] = len(rest)
        for line in whole:
            if line.strip():
                lines.put(line)
        if len(rest) > MAX_LINE:
            break
    if rest.strip():
        lines.put(rest)
    lines.put(None)


def write(stream, line):
    try:
        stream.write(line)
        stream.flush()
    except (OSError, ValueError):
        pass  # It ended: there is no answer.


def close(stream):
    try:
        stream.close()
    except OSError:
        pass


def shown(line):
    text = line.decode(errors="replace").strip()
    return "".join(c if c.isprintable() else "\ufffd" for c in text[:200]) + ("…" if len(text) > 200 else "")


# The run

def read_suite(path):
    try:
        text = path.read_bytes()
    except OSError as why:
        raise Problem(f"cannot read {path}: {why.strerror}; name a suite with --suite") from None
    header, *lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    if header.get("suite") != FORM or header.get("protocol") != PROTOCOL:
        raise Problem(f"{path}: the suite has form {header.get('suite')} and protocol {header.get('protocol')}; this "
                      f"runner reads form {FORM} and speaks protocol {PROTOCOL}")
    statements = {line["statement"]: line for line in lines if "statement" in line}
    about = {"form": FORM, "version": header["version"], "sha256": hashlib.sha256(text).hexdigest()}
    return about, statements, [line for line in lines if "request" in line]


def read_about(driver):
    try:
        about = driver.ask("about", {"op": "about"})
    except Fault as fault:
        raise Problem(f"the driver does not answer `about`: {fault}") from None
    if not isinstance(about.get("name"), str):
        raise Problem("the answer to `about` has no `name`")
    if about.get("protocol") != PROTOCOL:
        raise Problem(f"the driver speaks protocol {about.get('protocol')}, and this runner protocol {PROTOCOL}")
    wrong = [name for name in about.get("lacks", []) if name not in NEEDS]
    if wrong or about.get("reads", "expressions") not in ("expressions", "files"):
        raise Problem(f"`lacks` is of {', '.join(NEEDS)}, and `reads` is \"expressions\" or \"files\"")
    return about


def question(about, case):
    """The request for a case, its answer and levels; or why it cannot be asked."""
    request, levels = case["request"], case["levels"]
    dialect, op = request.get("dialect", "engine"), request["op"]
    if dialect not in about.get("dialects", ["engine"]):
        return f"the dialect {dialect}"
    for need in about.get("lacks", []):
        compares = need == "types" and op in ("expr", "template", "attributes") and "type" not in case["answer"]
        if need in case.get("needs", []) and not compares:
            return f"the ability `{need}`"
    known = about.get("operations")
    if about.get("reads") == "files" and op in ("expr", "template"):
        forms = [form for form in case.get("files", []) if known is None or form["request"]["op"] in known]
        if not forms:
            return "a file of the same meaning"
        form = forms[-1]
        return form["request"], form["answer"], [level for level in levels_of(form["answer"]) if level in levels]
    if known is not None and op not in known:
        return f"the operation {op}"
    return request, case["answer"], levels


def is_named(case, name):
    return any(one == name or one.startswith((name + ".", name + "/")) for one in [case["id"], *case["statements"]])


def names_in(path):
    lines = (line.split("#")[0].strip() for line in Path(path).read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line]


def chosen(cases, options):
    skipped = names_in(options.skip) if options.skip else []
    baseline = names_in(options.baseline) if options.baseline else []
    for name in skipped + baseline + options.only:
        if not any(is_named(case, name) for case in cases):
            raise Problem(f"there is nothing to ask: no case of the suite is named `{name}`")
    for case in cases:
        wanted = not options.only or any(is_named(case, name) for name in options.only)
        left = [level for level in case["levels"] if not options.level or level in options.level]
        if wanted and left and not any(is_named(case, name) for name in skipped) and (options.ours or "ours" not in case):
            yield {**case, "levels": left}


def run(options):
    suite, statements, cases = read_suite(options.suite)
    cases = list(chosen(cases, options))
    if not cases:
        raise Problem("there is nothing to ask: no case of the suite has such a name and level")
    driver, deciding = Driver(options.driver, options.timeout), options.level or DECIDED
    about = read_about(driver)
    typed, until = "types" not in about.get("lacks", []), time.monotonic() + options.total
    outcomes = {kind: dict.fromkeys(["right", "wrong", "failed", "unanswered"], 0) for kind in ("counts", "habits")}
    levels = {level: dict.fromkeys([RIGHT, WRONG, MISSING], 0) for level in LEVELS}
    report = {"driver": about, "suite": suite, "cases": 0, "left_out": {}, **outcomes, "noise": 0, "levels": levels,
              "differences": []}
    results = {}
    for case in cases:
        asked = question(about, case)
        if isinstance(asked, str):
            report["left_out"][asked] = report["left_out"].get(asked, 0) + 1
            continue
        if time.monotonic() > until:
            report["stopped"] = f"the run took longer than {options.total} seconds: --total allows more"
            break
        request, wanted, of_case = asked
        difference = {"id": case["id"], "statements": case["statements"], "levels": [], "request": request, "wanted": wanted}
        try:
            answer = driver.ask(case["id"], request)
        except Fault as fault:
            outcome = "failed"
            difference.update(got={"fault": fault.name}, fault=str(fault))
        except Problem as why:
            report["stopped"] = str(why)
            break
        else:
            scored = {level: score_at(level, wanted, answer, typed) for level in of_case}
            for level, score in scored.items():
                levels[level][score] += 1
            difference.update(levels=[level for level in of_case if scored[level] == WRONG], got=answer)
            outcome = ("unanswered" if set(scored.values()) <= {MISSING} else
                       "wrong" if set(difference["levels"]) & set(deciding) else "right")
        report["cases"] += 1
        report["habits" if case.get("engine") else "counts"][outcome] += 1
        results[case["id"]] = outcome, bool(case.get("engine"))
        if outcome in ("wrong", "failed") or difference["levels"]:
            counts = outcome in ("wrong", "failed")
            report["differences"].append({**difference, "counts": counts, "habit": bool(case.get("engine"))})
    driver.end()
    report["differences"].sort(key=lambda one: (not one["counts"], one["habit"]))
    report["noise"] = driver.noise
    answered = sum(outcomes[kind][outcome] for kind in outcomes for outcome in ("right", "wrong"))
    if not answered:
        report.setdefault("stopped", "nothing was answered")
    if options.baseline:
        known = set(names_in(options.baseline))
        pick = lambda wanted, old: [name for name, (outcome, habit) in results.items()
                                    if outcome in wanted and (name in known) == old and (old or not habit)]
        report["changes"] = {"failures": pick(["wrong", "failed"], False), "passes": pick(["right"], True),
                             "unanswered": pick(["unanswered"], True)}
    return report, statements, driver.first_noise


def text(report, statements, noise, show):
    for one in report["differences"][:show]:
        print(f"{one['id']} ({', '.join(one['levels']) or 'fault'})")
        for name in one["statements"]:
            if name in statements:
                print(f"  {name}: {statements[name]['text']}")
        for name in ("request", "wanted", "got"):
            print(f"  {name:8}{json.dumps(one[name], ensure_ascii=False)}")
        print(f"  {one['fault']}\n" if "fault" in one else "")
    for level, tally in report["levels"].items():
        given = tally[RIGHT] + tally[WRONG]
        print(f"{level:12}{tally[RIGHT]} of {given} right" if given else f"{level:12}-")
    counts, habits = report["counts"], report["habits"]
    name = " ".join([report["driver"]["name"], *([report["driver"]["version"]] if "version" in report["driver"] else [])])
    failed = f"{counts['failed']} failed, " if counts["failed"] else ""
    print(f"\n{name}: {counts['right']} right, {counts['wrong']} wrong, {failed}{counts['unanswered']} not answered, "
          f"of {sum(counts.values())} cases")
    if sum(habits.values()) > habits["unanswered"]:
        print(f"habits of the official engine: {habits['right']} of {sum(habits.values()) - habits['unanswered']} the same")
    for why, cases in sorted(report["left_out"].items()):
        print(f"left out for lack of {why}: {cases} cases")
    if noise:
        print(f"lines that are no answers: {report['noise']}; the first: {noise}\nwrite logs to standard error")
    for kind, names in report.get("changes", {}).items():
        if names:
            print(f"changed since the baseline, {kind}: {', '.join(names)}")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--suite", type=Path, default=Path(__file__).resolve().parent / "suite.jsonl", metavar="FILE")
    options.add_argument("--skip", metavar="FILE", help="names of cases, statements or chapters to leave out")
    options.add_argument("--only", action="append", default=[], metavar="NAME")
    options.add_argument("--level", action="append", default=[], choices=LEVELS)
    options.add_argument("--ours", action="store_true", help="ask also what only hcl-lr promises")
    options.add_argument("--baseline", metavar="FILE", help="names of cases that are expected to fail")
    options.add_argument("--write-baseline", metavar="FILE")
    options.add_argument("--timeout", type=float, default=10, metavar="SECONDS")
    options.add_argument("--total", type=float, default=1800, metavar="SECONDS")
    options.add_argument("--show", type=int, default=5, metavar="N")
    options.add_argument("--json", action="store_true", help="print the report as JSON")
    options.add_argument("--report", metavar="FILE", help="write the report as JSON into a file as well")
    options.add_argument("driver", nargs="+")
    options = options.parse_args()
    try:
        report, statements, noise = run(options)
        if options.report:
            Path(options.report).write_text(json.dumps(report, ensure_ascii=False) + "\n", encoding="utf-8")
        if options.json:
            print(json.dumps(report, ensure_ascii=False))
        else:
            text(report, statements, noise, options.show)
        if "stopped" in report:
            raise Problem(report["stopped"])
        failing = [one["id"] for one in report["differences"] if one["counts"] and not one["habit"]]
        if options.write_baseline:
            Path(options.write_baseline).write_text("".join(name + "\n" for name in failing), encoding="utf-8")
            return 0
    except (Problem, OSError) as why:
        print(f"error: {why}", file=sys.stderr)
        return 2
    changed = any(report["changes"].values()) if "changes" in report else bool(failing)
    return 1 if changed or report["noise"] else 0


if __name__ == "__main__":
    sys.exit(main())
