"""The scoreboard in Markdown."""

import view

HEADER = """\
# Scoreboard

<!-- Made by `python3 crates/conformance/scoreboard` from crates/conformance/scoreboard.json: do not edit. -->
"""


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    for row in rows:
        lines.append("| " + " | ".join(str(part).replace("|", "\\|") for part in row) + " |")
    return "\n".join(lines) + "\n"


def paragraph(text):
    """In lines of a readable length."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > 110:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return "\n".join([*lines, line]) + "\n"


def share(tally):
    text, part, missing = view.cell(tally)
    return text if part is None else f"{view.percent(part)} ({text})"


def overview(numbers):
    head = ["implementation", "version", "language", "asked", "right", "wrong", "by decision", "failed", "not answered", "share", "habits"]
    rows = []
    for one in numbers["implementations"]:
        counts, share = one["counts"], view.share_right(one)
        row = [view.name(one), view.short_version(one), one["language"], view.asked(one), counts["right"], counts["wrong"]]
        row += [one["decided"], counts["failed"], counts["unanswered"], "–" if share is None else view.percent(share)]
        rows.append([*row, view.habits(one)])
    return table(head, rows)


def grades(numbers):
    head = ["implementation", "grade", "valid", "invalid", "trees and values", "verdicts", "floor"]
    rows = [[view.name(one), view.points(one["grade"]["points"]), *view.grade_figures(one)] for one in numbers["implementations"]]
    return table(head, rows)


def chapter_grades(numbers):
    all_of = numbers["implementations"]
    points = [{chapter["name"]: chapter["grade"] for chapter in one["chapters"]} for one in all_of]
    rows = [[chapter, *(view.points(of.get(chapter)) for of in points)] for chapter, _ in view.chapters(numbers)]
    return table(["chapter", *(view.name(one) for one in all_of)], rows)


def left_out(numbers):
    """The questions that could not be asked, by what the implementation lacks."""
    rows = []
    for one in numbers["implementations"]:
        for why, cases in sorted(one["left_out"].items(), key=lambda pair: -pair[1]):
            rows.append([view.name(one), why, cases])
    lines = ["| implementation | lacks | questions |", "| --- | --- | ---: |"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def explained(one):
    lines = ["| question | asked | differs in | statement | row |", "| --- | --- | --- | --- | --- |"]
    for case in one["explained"]:
        shown = view.source(case["asked"]).replace("|", "\\|").replace("`", "'")
        statement = case["statement"].replace("|", "\\|")
        row = f"`{case['row']}`" if case["row"] else "–"
        lines.append(f"| `{case['id']}` | `{shown}` | {', '.join(case['levels'])} | {statement} | {row} |")
    return "\n".join(lines) + "\n"


def levels(numbers):
    rows = [[view.name(one), *(share(level) for level in one["levels"])] for one in numbers["implementations"]]
    return table(["implementation", *(level for level, _ in view.LEVELS)], rows)


def corpus(numbers):
    rows = []
    for one in numbers["implementations"]:
        found = one["corpus"]
        native, json = view.corpus_cell(found["native"]), view.corpus_cell(found["json"])
        rows.append([view.name(one), native[0], json[0]])
    first = numbers["implementations"][0]["corpus"]
    head = ["implementation", f"native syntax ({first['native']['files']} files)"]
    return table([*head, f"JSON ({first['json']['files']} files)"], rows)


def speed(numbers):
    rows = []
    for one in numbers["implementations"]:
        row = [view.name(one), one["reads"]]
        for timing in (one["speed"]["read"], one["speed"]["evaluate"]):
            if view.net(timing) is None:
                row += [view.why_not(timing), "–", "–"]
            else:
                row += [view.time_text(timing), view.rate(timing), view.seconds(timing["asking"])]
        rows.append(row)
    return table(["implementation", "into", "reading", "", "asking", "evaluating", "", "asking"], rows)


def memory(numbers):
    rows = []
    for one in numbers["implementations"]:
        parts = one["speed"]
        peaks = [parts["asked"]["idle"], parts["asked"]["peak"]]
        peaks += [parts[kind].get("peak") for kind in ("read", "evaluate")]
        rows.append([view.name(one), *(view.megabytes(peak) for peak in peaks)])
    return table(["implementation", "start", "question", "reading", "evaluating"], rows)


def level(numbers, index):
    rows, speaking = [], view.speaking(numbers, index)
    for chapter, _ in view.chapters(numbers):
        if view.has_level(numbers, chapter, None, index):
            rows.append([chapter, *(view.cell(view.tally(one, chapter, None, index))[0] for one in speaking)])
    return table(["chapter", *(view.name(one) for one in speaking)], rows)


def text(numbers):
    parts = [HEADER, paragraph(view.INTRODUCTION.format(**numbers["suite"])), paragraph(view.DECISIONS.format(**numbers["suite"]))]
    more = "[The page](scoreboard.html) shows the sections of each chapter, too. "
    parts.append(paragraph(more + view.measured_on(numbers)))
    parts += [paragraph(view.GRADE), grades(numbers), overview(numbers), paragraph(view.NO_LEVEL), levels(numbers)]
    parts += ["## Left out\n", "Questions that are not asked, by what an implementation lacks.\n", left_out(numbers)]
    for one in view.explained(numbers):
        parts += [f"## {view.name(one)}, case by case\n", paragraph(view.EXPLAINED), explained(one)]
    if view.left_out(numbers):
        missing = "".join(f"- {why}\n" for why in view.left_out(numbers))
        parts.append("Left out, because they could not be built or run:\n\n" + missing)
    if numbers["corpus"]:
        parts += ["## Real files\n", paragraph(view.CORPUS), corpus(numbers)]
    parts += ["## Time\n", paragraph(view.speed_text(numbers)), speed(numbers)]
    parts += ["## Memory\n", paragraph(view.MEMORY), memory(numbers)]
    parts += ["## Chapters by grade\n", "Chapters without valid or without invalid sources have none.\n", chapter_grades(numbers)]
    for index, (name, meaning) in enumerate(view.LEVELS):
        parts += [f"## Chapters by {name}: {meaning}\n", "Right answers of those that were given.\n"]
        parts.append(level(numbers, index))
    return "\n".join(parts)
