#!/usr/bin/env python3
"""Asks a driver all questions of the conformance suite: the second runner of the protocol, in one file.

    python3 run.py [options] -- DRIVER ARGUMENT…

It needs Python 3.9 or newer and `suite.jsonl`, which it looks for beside itself. It prints the reports of
`hcl conformance run`, as text, JSON and JUnit; a test compares them. PROTOCOL.md describes the questions and the answers.

Exit status: 0: nothing is wrong, or nothing has changed since the baseline; 1: something is wrong or has changed, or
the driver writes lines that are no answers; 2: nothing was answered, or the run cannot be done or finished.
"""

import argparse
import hashlib
import json
import queue
import re
import shlex
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
    def same_part(one, two):
        header = all(one.get(name) == two.get(name) for name in ("attr", "block", "labels"))
        references = two.get("references") or []
        found = all(any(path == other[:len(path)] for other in references) for path in one.get("references", []))
        return header and found and contains_outline(one.get("body", []), two.get("body"))

    rest = iter(got or [])
    return all(any(same_part(one, two) for two in rest) for one in wanted or [])


def has_references(outline):
    return any("references" in part or has_references(part.get("body")) for part in outline or [])


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
        outline, survives = answer.get("outline"), wanted["survives"]
        if "outline" not in answer or (has_references(survives) and not has_references(outline)):
            return MISSING
        return RIGHT if not ok and contains_outline(survives, outline) else WRONG
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
                                f"the driver wrote {count(self.unfinished[0], 'byte')} and no newline after them: end "
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


def count(number, noun):
    return f"{number:,} {noun}{'' if number == 1 else 's'}".replace(",", "")


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
    if several := set(baseline) - {case["id"] for case in cases}:
        name = next(name for name in baseline if name in several)
        raise Problem(f"{options.baseline}: `{name}` is not the name of one case: list the cases, as `--write-baseline` does")
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
    driver = Driver(options.driver, options.timeout)
    about = read_about(driver)
    report = Report(about, suite, statements, options.level or DECIDED)
    typed, until = "types" not in about.get("lacks", []), time.monotonic() + options.total
    for case in cases:
        asked = question(about, case)
        if isinstance(asked, str):
            report.leave_out(case, asked)
            continue
        if time.monotonic() > until:
            report.stopped = f"the run took longer than {options.total:g} seconds: --total allows more"
            break
        request, wanted, levels = asked
        start, fault, scored, got = time.monotonic(), None, {}, None
        try:
            got = driver.ask(case["id"], request)
            scored = {level: score_at(level, wanted, got, typed) for level in levels}
        except Fault as why:
            fault, got = str(why), {"fault": why.name}
        except Problem as why:
            report.stopped = str(why)
            break
        report.add(case, request, wanted, got, scored, fault, time.monotonic() - start)
    driver.end()
    report.noise, report.first_noise = driver.noise, driver.first_noise
    if not any(one["outcome"] in ("right", "wrong") for one in report.asked):
        report.stopped = report.stopped or "nothing was answered"
    if options.baseline:
        report.compare(set(names_in(options.baseline)))
    return report


# Reports

class Report:
    """The answers of a driver, and the reports of it."""

    def __init__(self, about, suite, statements, deciding):
        self.about, self.suite, self.statements, self.deciding = about, suite, statements, deciding
        self.asked, self.left_out, self.chapters, self.grades = [], {}, {}, {}
        self.stopped = self.changes = self.first_noise = None
        self.noise = 0

    def tallies(self, case):
        sections = self.chapters.setdefault(case["chapter"], {})
        return sections.setdefault(case["section"], no_answers())

    def leave_out(self, case, why):
        self.left_out[why] = self.left_out.get(why, 0) + 1
        self.tallies(case)  # The chapter is listed all the same.

    def add(self, case, request, wanted, got, scored, fault, seconds):
        tallies = self.tallies(case)
        for level, score in scored.items():
            tallies[level][score] += 1
        if not case.get("engine"):
            verdict = "valid" if wanted.get("ok") is True else "invalid"
            grade = self.grades.setdefault(case["chapter"], no_grade())
            for level, score in scored.items():
                part = verdict if level == "verdict" else "meaning" if level in ("tree", "value") else None
                if part:
                    grade[part][score] += 1
            if fault is not None and "verdict" in case["levels"]:
                grade[verdict][WRONG] += 1  # No answer is a wrong verdict.
        wrong = [level for level in scored if scored[level] == WRONG]
        outcome = ("failed" if fault is not None else "unanswered" if set(scored.values()) <= {MISSING} else
                   "wrong" if set(wrong) & set(self.deciding) else "right")
        self.asked.append({"case": case, "request": request, "wanted": wanted, "got": got, "wrong": wrong, "fault": fault,
                           "outcome": outcome, "seconds": seconds, "habit": bool(case.get("engine"))})

    def grade(self, chapter=None):
        """The answers that decide the grade of a chapter, or of all."""
        grades = list(self.grades.values()) if chapter is None else [self.grades.get(chapter, no_grade())]
        return {part: {score: sum(grade[part][score] for grade in grades) for score in (RIGHT, WRONG, MISSING)} for part in no_grade()}

    def compare(self, known):
        """Finds what has changed since a baseline."""
        def pick(outcomes, old):
            return [one["case"]["id"] for one in self.asked if one["outcome"] in outcomes
                    and (one["case"]["id"] in known) == old and (old or not one["habit"])]

        self.changes = {"failures": pick(["wrong", "failed"], False), "passes": pick(["right"], True),
                        "unanswered": pick(["unanswered"], True)}

    def failing(self):
        return [one["case"]["id"] for one in self.asked if one["outcome"] in ("wrong", "failed") and not one["habit"]]

    def counts(self, habits):
        outcomes = [one["outcome"] for one in self.asked if one["habit"] == habits]
        return {kind: outcomes.count(kind) for kind in ("right", "wrong", "failed", "unanswered")}

    def differences(self):
        shown = [one for one in self.asked if one["fault"] is not None or one["wrong"]]
        return sorted(shown, key=lambda one: (one["outcome"] not in ("wrong", "failed"), one["habit"]))

    def name(self):
        version = self.about.get("version")
        return self.about["name"] + (f" {version}" if isinstance(version, str) else "")

    def to_json(self):
        def difference(one):
            found = {"id": one["case"]["id"], "statements": one["case"]["statements"], "levels": one["wrong"],
                     "counts": one["outcome"] in ("wrong", "failed"), "habit": one["habit"], "request": one["request"],
                     "wanted": one["wanted"], "got": one["got"]}
            return found if one["fault"] is None else {**found, "fault": one["fault"]}

        chapters = [{"chapter": name, "levels": total(sections.values()), "grade": graded(self.grade(name)),
                     "sections": [{"section": one, "levels": levels} for one, levels in sections.items() if one]}
                    for name, sections in self.chapters.items()]
        report = {"driver": self.about, "suite": self.suite, "cases": len(self.asked), "left_out": self.left_out,
                  "counts": self.counts(False), "habits": self.counts(True), "noise": self.noise,
                  "levels": total(one["levels"] for one in chapters), "grade": graded(self.grade()), "chapters": chapters,
                  "differences": [difference(one) for one in self.differences()]}
        if self.stopped:
            report["stopped"] = self.stopped
        if self.changes is not None:
            report["changes"] = self.changes
        return json.dumps(report, ensure_ascii=False) + "\n"

    def to_text(self, sections, show):
        lines, differences = [], self.differences()
        for one in differences[:show]:
            lines += self.difference(one)
        lines.append(" " * 40 + "".join(f"{level:>11}" for level in [*LEVELS, "grade"]))
        rows = []
        for name, parts in self.chapters.items():
            rows.append((name, total(parts.values()), points(self.grade(name))))
            rows += [(f"  {part}", levels, None) for part, levels in parts.items() if sections and part]
        levels = total(levels for parts in self.chapters.values() for levels in parts.values())
        rows.append(("all", levels, points(self.grade())))
        for name, levels, number in rows:
            rates = [*(rate(levels[level]) for level in LEVELS), "" if number is None else number]
            lines.append((f"{name[:39]:40}" + "".join(f"{part:>11}" for part in rates)).rstrip())
        lines += ["", *self.figures()]
        if len(differences) > show:
            lines.append(f"{show} of {len(differences)} differences are shown; --show {len(differences)} shows all")
        return "".join(f"{line}\n" for line in lines)

    def difference(self, one):
        case = one["case"]
        kind = ", ".join(one["wrong"]) + ("; a habit of the official engine" if one["habit"] else "")
        lines = [f"{case['id']}: {case['chapter']} ({'fault' if one['fault'] is not None else kind})"]
        lines += [f"  {line}" for line in self.sentences(case)] + [f"  asked {compact(one['request'])}"]
        if one["fault"] is not None:
            return [*lines, f"  {one['fault']}", ""]
        wanted, got = sides(one)
        return [*lines, *side_by_side(["wanted", *wanted], ["got", *got]), ""]

    def sentences(self, case):
        """The statements of a case, and the sentences of the texts that they follow from."""
        for name in case["statements"]:
            if name in self.statements:
                yield f"{name}: {self.statements[name]['text']}"
                origin = self.statements[name].get("origin", {})
                if origin.get("quote"):
                    yield f"from {origin['text']}, {origin['section']}: {origin['quote']}"

    def figures(self):
        counts, habits = self.counts(False), self.counts(True)
        failed = f"{counts['failed']} failed, " if counts["failed"] else ""
        yield (f"{self.name()}: {counts['right']} right, {counts['wrong']} wrong, {failed}{counts['unanswered']} not answered, "
               f"of {count(sum(counts.values()), 'case')}")
        grade = self.grade()
        if points(grade) is not None:
            right, given = grade["valid"][RIGHT] + grade["invalid"][RIGHT], answered(grade["valid"]) + answered(grade["invalid"])
            yield (f"verdicts: {right} of {given} right; the same verdict for all would be right "
                   f"{graded(grade)['floor']} times")
            yield (f"grade: {points(grade)} of 100 (right verdicts on valid sources {percent(grade['valid'])}, on invalid ones "
                   f"{percent(grade['invalid'])}; right trees and values {percent(grade['meaning'])})")
        given = sum(habits.values()) - habits["unanswered"]
        if given:
            yield f"habits of the official engine: {habits['right']} of {given} the same"
        for why, cases in sorted(self.left_out.items()):
            yield f"left out for lack of {why}: {count(cases, 'case')}"
        if self.first_noise is not None:
            yield f"lines that are no answers: {self.noise}; the first: {self.first_noise}"
            yield "write logs to standard error"
        slowest = max(self.asked, key=lambda one: one["seconds"], default=None)
        if slowest and slowest["seconds"] > 1:
            yield f"slowest answer: {slowest['seconds']:.1f} seconds, {slowest['case']['id']}"
        if self.changes is not None:
            for what, names in zip(["new failures", "new passes, to be removed from the baseline", "no longer answered"],
                                   self.changes.values()):
                if names:
                    more = f" and {len(names) - 20} more" if len(names) > 20 else ""
                    yield f"{what} ({len(names)}): {', '.join(names[:20])}{more}"
            if not any(self.changes.values()):
                yield "all failures are those of the baseline"

    def to_junit(self):
        lines = ['<?xml version="1.0" encoding="UTF-8"?>',
                 f'<testsuites name="HCL conformance of {xml(self.name())}" {sums(self.asked)}>']
        properties = {"driver": self.name(), "suite.version": self.suite["version"], "suite.sha256": self.suite["sha256"]}
        for chapter in self.chapters:
            asked = [one for one in self.asked if one["case"]["chapter"] == chapter]
            lines += [f'  <testsuite name="{xml(chapter)}" {sums(asked)}>', "    <properties>"]
            lines += [f'      <property name="{name}" value="{xml(value)}"/>' for name, value in properties.items()]
            lines += ["    </properties>", *map(self.junit_case, asked), "  </testsuite>"]
        if self.stopped:
            lines += ['  <testsuite name="The run" tests="1" failures="0" errors="1" skipped="0" time="0.000">',
                      '    <testcase classname="hcl" name="run" time="0.000">'
                      f'<error message="{xml(self.stopped)}"/></testcase>', "  </testsuite>"]
        return "\n".join([*lines, "</testsuites>"]) + "\n"

    def junit_case(self, one):
        case, text = one["case"], ""
        if one["outcome"] == "failed":
            text = f'<error type="fault" message="{xml(one["fault"])}">{xml("asked " + compact(one["request"]))}</error>'
        elif one["outcome"] == "wrong" and one["habit"]:
            text = '<skipped message="a habit of the official engine, which no text asks for"/>'
        elif one["outcome"] == "wrong":
            lines = [*self.sentences(case), f"asked {compact(one['request'])}", *side_by_side(*sides(one))]
            levels = xml(", ".join(one["wrong"]))
            text = f'<failure type="{levels}" message="wrong {levels}">' + xml("".join(f"{line}\n" for line in [*lines, ""])) + "</failure>"
        elif one["outcome"] == "unanswered":
            text = '<skipped message="not answered"/>'
        statement = (case["statements"] or ["hcl"])[0]
        return (f'    <testcase classname="hcl.{xml(statement)}" name="{xml(case["id"])}" time="{one["seconds"]:.3f}">'
                f"{text}</testcase>")


# The grade: verdicts on valid and invalid sources count apart, so that no single answer to everything gets more than 0.

def no_grade():
    return {part: dict.fromkeys([RIGHT, WRONG, MISSING], 0) for part in ("valid", "invalid", "meaning")}


def answered(tally):
    return tally[RIGHT] + tally[WRONG]


def points(grade):
    """The grade, up to 100; none without verdicts on both kinds of sources."""
    valid, invalid, meaning = ((grade[part][RIGHT], answered(grade[part])) for part in no_grade())
    if not valid[1] or not invalid[1]:
        return None
    verdicts = max(0, valid[0] * invalid[1] + invalid[0] * valid[1] - valid[1] * invalid[1])
    right, given = meaning if meaning[1] else (1, 1)
    return 100 * verdicts * right // (valid[1] * invalid[1] * given)


def graded(grade):
    floor = max(answered(grade["valid"]), answered(grade["invalid"]))
    return {"points": points(grade), "floor": floor, **grade}


def percent(tally):
    if not answered(tally):
        return "none"
    permille = 1000 * tally[RIGHT] // answered(tally)
    return f"{permille // 10}.{permille % 10} %"


INVISIBLE = re.compile("[\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]")


def visible(text):
    """A text in JSON in which invisible characters are escapes."""
    return INVISIBLE.sub(lambda found: json.dumps(found[0])[1:-1].replace("\x7f", "\\u007f"), text)


def no_answers():
    return {level: dict.fromkeys([RIGHT, WRONG, MISSING], 0) for level in LEVELS}


def total(parts):
    all_of = no_answers()
    for levels in parts:
        for level, tally in levels.items():
            for score, cases in tally.items():
                all_of[level][score] += cases
    return all_of


def rate(tally):
    given = tally[RIGHT] + tally[WRONG]
    return f"{tally[RIGHT]}/{given}" if given else "-" if tally[MISSING] else ""


def compact(value):
    return visible(json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")))


def sides(one):
    """The lines of the expected and the actual answer, in the same form."""
    wanted, got = one["wanted"], dict(one["got"])
    errors = []
    for found in got.pop("diags", None) or []:
        if found.get("severity") == "error":
            start = next((part for part in found.get("range") or [] if isinstance(part, list)), [None, None])
            code = {"code": found["code"]} if "code" in found else {}
            errors.append({"line": start[0], "column": start[1], **code})
    if "errors" in wanted or errors:
        got["errors"] = errors
    got = {name: part for name, part in got.items() if name in wanted or name not in ("ast", "parsed", *VALUES)}
    texts = [visible(json.dumps(side, ensure_ascii=False, sort_keys=True, indent=2)) for side in (wanted, got)]
    return [text.split("\n") for text in texts]


WIDTH, MAX_LINES = 46, 400  # of each side; above so many lines, they are compared one by one


def side_by_side(left, right):
    """Lines beside each other, with a sign between those that differ."""
    for one, two in paired(left, right):
        sign = " " if one == two else "|"
        parts = [[side[at:at + WIDTH] for at in range(0, len(side), WIDTH)] for side in (one or "", two or "")]
        for at in range(max(map(len, parts))):
            one, two = (part[at] if at < len(part) else "" for part in parts)
            yield f"  {one:{WIDTH}} {sign} {two}".rstrip()


def paired(left, right):
    """The lines that both have beside each other, as many as possible."""
    if len(left) > MAX_LINES or len(right) > MAX_LINES:
        return [(side(left, at), side(right, at)) for at in range(max(len(left), len(right)))]
    # The length of the longest common subsequence of what follows each pair of places.
    common = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for at in reversed(range(len(left))):
        for to in reversed(range(len(right))):
            common[at][to] = common[at + 1][to + 1] + 1 if left[at] == right[to] else max(common[at + 1][to], common[at][to + 1])
    pairs, one, two, at, to = [], [], [], 0, 0
    while at < len(left) or to < len(right):
        both = at < len(left) and to < len(right)
        if both and left[at] == right[to]:
            pairs += [(side(one, n), side(two, n)) for n in range(max(len(one), len(two)))] + [(left[at], right[to])]
            one, two, at, to = [], [], at + 1, to + 1
        elif to == len(right) or (both and common[at + 1][to] >= common[at][to + 1]):
            one.append(left[at])
            at += 1
        else:
            two.append(right[to])
            to += 1
    return pairs + [(side(one, n), side(two, n)) for n in range(max(len(one), len(two)))]


def side(lines, at):
    return lines[at] if at < len(lines) else None


def sums(asked):
    outcomes = [("skipped" if one["habit"] else "failures") if one["outcome"] == "wrong" else
                {"failed": "errors", "unanswered": "skipped"}.get(one["outcome"]) for one in asked]
    parts = "".join(f' {kind}="{outcomes.count(kind)}"' for kind in ("failures", "errors", "skipped"))
    return f'tests="{len(asked)}"{parts} time="{sum(one["seconds"] for one in asked):.3f}"'


def xml(text):
    """A text in XML. What XML cannot hold is left out."""
    for sign, name in ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"):
        text = text.replace(sign, name)
    return re.sub("[\x00-\x08\x0b-\x1f\ufffe\uffff]", "", text)


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
    options.add_argument("--sections", action="store_true", help="show the sections of each chapter")
    options.add_argument("--show", type=int, default=5, metavar="N", help="show so many of the differences")
    form = options.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the report as JSON")
    form.add_argument("--junit", action="store_true", help="print the report in the form of JUnit")
    options.add_argument("--report", metavar="FILE", help="write the report as JSON into a file as well")
    options.add_argument("--command", metavar="COMMAND", help="the driver as one text, in which quotes keep blanks")
    options.add_argument("driver", nargs="*")
    parser, options = options, options.parse_args()
    if bool(options.driver) == bool(options.command):
        parser.error("name the driver: after `--`, or with --command")
    options.driver = options.driver or shlex.split(options.command)
    sys.stdout.reconfigure(encoding="utf-8")
    try:
        report = run(options)
        if options.report:
            Path(options.report).write_text(report.to_json(), encoding="utf-8")
        sys.stdout.write(report.to_json() if options.json else report.to_junit() if options.junit else
                         report.to_text(options.sections, options.show))
        if report.stopped:
            raise Problem(report.stopped)
        if options.write_baseline:
            head = "# Expected failures: the names of cases. The option `--write-baseline` writes this file.\n"
            text = head + "".join(name + "\n" for name in report.failing())
            Path(options.write_baseline).write_text(text, encoding="utf-8")
            return 0
    except (Problem, OSError) as why:
        print(f"error: {why}", file=sys.stderr)
        return 2
    changed = any(report.changes.values()) if report.changes is not None else bool(report.failing())
    return 1 if changed or report.noise else 0


if __name__ == "__main__":
    sys.exit(main())
