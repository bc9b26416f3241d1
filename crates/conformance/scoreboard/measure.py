"""Measures a driver: its answers to the suite and the corpus, and the time and memory that it takes."""

import base64
import hashlib
import json
import statistics
import subprocess

import sys
from pathlib import Path

import samples
from driver import Died, Driver, question

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import run as runner

LEVELS = ["verdict", "tree", "value", "place", "code", "recovery"]
# How often a question is asked for its time, and for how long all in all; but at least once.
REPEATS, SECONDS, PATIENCE = 7, 12, 20
# The seconds for an answer of the suite: enough on a busy machine.
TIMEOUT = 60
# The most characters of a question in a table.
SHOWN = 90
# The figures of an implementation whose times are not measured.
NO_SPEED = {"asked": {"idle": None, "peak": None}, "read": {"failed": "not measured"}, "evaluate": {"failed": "not measured"}}


def read_suite(path):
    """The figures of the suite, its cases by their names, and the texts of its statements."""
    cases, statements = {}, {}
    content = path.read_bytes()
    header, *lines = map(json.loads, content.splitlines())
    for line in lines:
        # What only this project promises is not asked.
        if "request" in line and "ours" not in line:
            cases[line["id"]] = line
        elif "statement" in line:
            statements[line["statement"]] = line["text"]
    digest = hashlib.sha256(content).hexdigest()[:16]
    habits = sum("engine" in case for case in cases.values())
    return {"version": header["version"], "cases": len(cases) - habits, "habits": habits, "statements": len(statements),
            "sha256": digest}, cases, statements


def tallies(levels):
    """Right, wrong, and not answered, at each level."""
    return [[levels[level][part] for part in ("right", "wrong", "unsupported")] for level in LEVELS]


def suite(hcl, command, path, cases, statements):
    """How the driver answers the suite: what `hcl conformance run` says."""
    run = [str(hcl), "conformance", "run", "--suite", str(path), "--json", "--timeout", str(TIMEOUT), "--", *command]
    result = subprocess.run(run, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if result.returncode not in (0, 1):
        raise Died(result.stderr.strip().splitlines()[-1] if result.stderr.strip() else "the suite cannot be run")
    report = json.loads(result.stdout)
    wrong = [one for one in report["differences"] if one["counts"] and not one["habit"]]
    # What this project decides in another way than the official engine, by a row of DIVERGENCES.md.
    decided = [one for one in wrong if set(one["levels"]) <= set(cases[one["id"]].get("differs", []))]
    return {
        "about": report["driver"],
        "counts": report["counts"],
        "habits": report["habits"],
        "left_out": report["left_out"],
        "decided": len(decided),
        "levels": tallies(report["levels"]),
        "grade": report["grade"],
        # Case by case where most is decided by this project: the statement of each, and the row that explains it, if one does.
        "explained": [explained(one, one in decided, cases, statements) for one in wrong] if len(decided) * 2 > len(wrong) else [],
        "chapters": [
            {
                "name": chapter["chapter"],
                "levels": tallies(chapter["levels"]),
                "grade": chapter["grade"]["points"],
                "sections": [[part["section"], tallies(part["levels"])] for part in chapter["sections"]],
            }
            for chapter in report["chapters"]
        ],
    }


def explained(one, is_decided, cases, statements):
    case = cases[one["id"]]
    texts = " ".join(statements[name] for name in case["statements"] if name in statements)
    row = case.get("row", "") if is_decided else ""
    return {"id": one["id"], "levels": one["levels"], "row": row, "statement": texts, "asked": shown(case["request"])}


def shown(request):
    """Returns the source that a request asks about, in a line of a table."""
    if "src" in request:
        text = request["src"]
    elif "src_base64" in request:
        text = base64.b64decode(request["src_base64"]).decode("utf-8", "backslashreplace")
    elif "files" in request:
        text = "\n".join(file["src"] for file in request["files"])
    else:
        parts = [request[name] for name in ("name", "value", "args", "types", "type") if name in request]
        text = " → ".join(json.dumps(part, ensure_ascii=False) for part in parts)
    text = text or "(an empty source)"
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


def is_decision(case):
    """True if the official engine answers in another way than the suite, or if no text decides."""
    return "engine" in case or bool(set(case.get("differs", [])) & set(runner.DECIDED))


def decided_statements(cases, statements):
    """The statements of these questions: the text, and whether the texts or only the official engine decide."""
    found = {}
    for case in filter(is_decision, cases.values()):
        name = case["statements"][0]
        old = found.setdefault(name, {"text": statements[name], "rows": [], "habits": 0})
        if "engine" in case:
            old["habits"] += 1
        elif case.get("row") and case["row"] not in old["rows"]:
            old["rows"].append(case["row"])
    return found


def decisions(command, about, cases):
    """The answers to the questions that are decisions, by statement: as the suite wants, otherwise, none."""
    counts = {}
    typed = "types" not in about.get("lacks", [])
    driver = Driver(command)
    try:
        for case in filter(is_decision, cases.values()):
            found = counts.setdefault(case["statements"][0], [0, 0, 0])
            asked = runner.question(about, case)
            if isinstance(asked, str):
                found[2] += 1
                continue
            request, wanted, levels = asked
            # Where the engine differs, only what it differs in is a decision.
            levels = [level for level in levels if level in case.get("differs", runner.DECIDED)]
            try:
                answer = json.loads(driver.ask(question(**{**request, "id": case["id"]}), TIMEOUT)[0])
                scores = {runner.score_at(level, wanted, answer, typed) for level in levels if level in runner.DECIDED}
            except (Died, ValueError):
                scores = {runner.WRONG}
                driver.end()
                driver = Driver(command)
            found[1 if runner.WRONG in scores else 0 if runner.RIGHT in scores else 2] += 1
    finally:
        driver.end()
    return counts


def read_corpus(folder):
    """The files of a corpus with the verdicts that its manifest has."""
    files = []
    with open(folder / "manifest.jsonl", encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            operation = {"native": "config", "json": "json_attributes"}.get(line["syntax"])
            if operation:
                source = (folder / line["path"]).read_bytes().decode("utf-8")
                files.append((operation, source, line["accepted"]))
    return files


def corpus(command, files):
    """Of the files of each syntax: all, those that were asked, and those with the right verdict."""
    counts = {operation: {"files": 0, "answered": 0, "right": 0} for operation in ("config", "json_attributes")}
    driver = Driver(command)
    try:
        for operation, source, accepted in files:
            counts[operation]["files"] += 1
            more = {"ast": False} if operation == "config" else {}
            try:
                answer, _ = driver.ask(question(op=operation, src=source, **more), 30)
                answer = json.loads(answer)
            except (Died, ValueError):
                answer = {}
                driver.end()
                driver = Driver(command)
            if "unsupported" in answer:
                continue
            counts[operation]["answered"] += 1
            # Whether it can be read: what stands in it needs an application.
            verdict = answer.get("parsed", answer.get("ok")) if operation == "json_attributes" else answer.get("ok")
            if verdict is accepted:
                counts[operation]["right"] += 1
    finally:
        driver.end()
    return {"native": counts["config"], "json": counts["json_attributes"]}


def timed(driver, line):
    """The seconds that a question takes, again and again."""
    times = []
    while not times or (len(times) < REPEATS and sum(times) < SECONDS):
        times.append(driver.ask(line, PATIENCE)[1])
    return times


def speed(command):
    """The time and memory that it takes to read a file, and to evaluate one; each in a process of its own."""

    def read(size):
        return question(op="config", src=samples.configuration(size), ast=False)

    def evaluate(size):
        return question(op="attributes", src=samples.attributes(size), vars=samples.VARIABLES)

    asked = _once(command, _nothing(samples.SIZE))
    return {"asked": asked, "read": _speed(command, read), "evaluate": _speed(command, evaluate)}


def _nothing(size):
    """As long as the other questions, and nothing to do: what it costs to ask."""
    return question(op="nothing", src=samples.configuration(size))


def _once(command, line):
    """The memory of a process that just started, and that was asked once."""
    driver = Driver(command)
    try:
        driver.ask(question(op="about"), PATIENCE)
        idle = driver.peak()
        driver.ask(line, PATIENCE)
        return {"idle": idle, "peak": driver.peak()}
    finally:
        driver.end()


def _speed(command, ask):
    result = {}
    for size in samples.SIZE, samples.SMALL:
        result = _speed_of(command, ask(size), _nothing(size))
        if "failed" not in result:
            return {**result, "size": size}
    return result


def _speed_of(command, line, nothing):
    driver = Driver(command)
    try:
        answer, _ = driver.ask(line, PATIENCE)
        # The memory of the first time: what is kept for the next time is not needed for one run.
        peak = driver.peak()
        answer = json.loads(answer)
        if "unsupported" in answer:
            return {"unsupported": answer["unsupported"]}
        if answer.get("ok") is not True:
            return {"failed": "it does not accept the file"}
        times, asking = timed(driver, line), timed(driver, nothing)
    except Died as why:
        return {"failed": str(why)}
    finally:
        driver.end()
    result = {"seconds": statistics.median(times), "times": len(times), "asking": statistics.median(asking)}
    if "values" in answer:
        result["values"] = len(answer["values"])
    return {**result, "peak": peak}
