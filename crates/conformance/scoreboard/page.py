"""The scoreboard as one page, which needs nothing else."""

from html import escape

import view
from style import STYLE


def heading(identifier, title):
    return f'<h2 id="{identifier}">{escape(title)}</h2>\n'


def paragraph(text):
    return f"<p>{escape(text)}</p>\n"


def table(label, head, rows):
    """A table that scrolls by itself where there is no room. Its first column names the rows."""
    out = [f'<div class="table" role="region" tabindex="0" aria-label="{escape(label)}"><table>\n<thead><tr>']
    left = ("language", "into", "lacks", "asked", "differs in", "statement", "row") if head[0] != "implementation" else ("language", "into", "lacks")
    out += [f'<th scope="col"{" class=words" * (part in left)}>{part}</th>' for part in head]
    out.append("</tr></thead>\n<tbody>\n")
    for row in rows:
        first, kind = (row[0], "") if isinstance(row[0], str) else row[0]
        out.append(f'<tr{kind}><th scope="row">{first}</th>{"".join(row[1:])}</tr>\n')
    out.append("</tbody></table></div>\n")
    return "".join(out)


def plain(text):
    return f"<td>{escape(str(text))}</td>"


def words(text):
    return f"<td class=words>{escape(text)}</td>"


def level_cell(tally, percent=False):
    text, share, missing = view.cell(tally)
    if share is None:
        return f"<td class=none>{text}</td>" if text else "<td></td>"
    shown = f"<b>{view.percent(share)}</b> {text}" if percent else text
    if missing and not percent:
        shown += f" <small>of {tally[0] + tally[1] + missing}</small>"
    return bar(share, shown, grade(share))


def grade(share):
    """The colour of a share: all, nearly all, most, and less."""
    return "all" if share == 1 else "near" if share >= 0.99 else "most" if share >= 0.9 else "some" if share >= 0.7 else "few"


def bar(share, shown, kind=""):
    """A cell that is filled as far as the share goes."""
    kind = f" {kind}" if kind else ""
    return f'<td class="bar{kind}" style="--p:{100 * share:.1f}%">{shown}</td>'


def who(one):
    return f"{escape(view.name(one))} <small>{escape(view.short_version(one))}</small>"


def overview(numbers):
    head = ["implementation", "language", "asked", "right", "wrong", "by decision", "failed", "not answered", "share", "habits"]
    rows = []
    for one in numbers["implementations"]:
        counts, share = one["counts"], view.share_right(one)
        figures = [view.capability(one, numbers), counts["right"], counts["wrong"], one["decided"], counts["failed"], counts["unanswered"]]
        cells = [words(one["language"]), *(plain(figure) for figure in figures)]
        cells.append(plain("–") if share is None else bar(share, f"<b>{view.percent(share)}</b>", grade(share)))
        rows.append([who(one), *cells, plain(view.habits(one))])
    return table("All questions", head, rows)


def grades(numbers):
    head = ["implementation", "grade", "valid", "invalid", "trees and values", "verdicts", "floor"]
    rows = []
    for one in numbers["implementations"]:
        points = one["grade"]["points"]
        cell = plain("–") if points is None else bar(points / 100, f"<b>{points}</b>", grade(points / 100))
        rows.append([who(one), cell, *(plain(figure) for figure in view.grade_figures(one))])
    return table("Grades", head, rows)


def left_out(numbers):
    rows = []
    for one in numbers["implementations"]:
        for why, cases in sorted(one["left_out"].items(), key=lambda pair: -pair[1]):
            rows.append([who(one), words(why), plain(cases)])
    return table("Left out", ["implementation", "lacks", "questions"], rows)


def explained(one):
    rows = []
    for case in one["explained"]:
        row = [f"<code>{escape(case['id'])}</code>", f"<td class=words><code>{escape(view.source(case['asked']))}</code></td>"]
        rows.append([*row, words(", ".join(case["levels"])), f"<td class=long>{escape(case['statement'])}</td>", words(case["row"] or "–")])
    return table(f"{view.name(one)}, case by case", ["question", "asked", "differs in", "statement", "row"], rows)


def levels(numbers):
    rows = [[who(one), *(level_cell(level, True) for level in one["levels"])] for one in numbers["implementations"]]
    return table("All levels", ["implementation", *(level for level, _ in view.LEVELS)], rows)


def corpus(numbers):
    rows = []
    for one in numbers["implementations"]:
        cells = []
        for counts in (one["corpus"]["native"], one["corpus"]["json"]):
            text, share = view.corpus_cell(counts)
            cells.append(plain(text) if share is None else bar(share, f"<b>{view.percent(share)}</b> {text}", grade(share)))
        rows.append([who(one), *cells])
    first = numbers["implementations"][0]["corpus"]
    native, json = first["native"]["files"], first["json"]["files"]
    return table("Real files", ["implementation", f"native syntax, {native} files", f"JSON, {json} files"], rows)


def times(numbers, kind, label):
    """By speed, with a bar for it."""
    known = [one for one in numbers["implementations"] if view.net(one["speed"][kind]) is not None]
    known.sort(key=lambda one: -view.speed(one["speed"][kind]))
    most = max([view.speed(one["speed"][kind]) for one in known] or [1])
    rows = []
    for one in known:
        timing = one["speed"][kind]
        cells = [words(one["reads"])] if kind == "read" else []
        cells.append(bar(view.speed(timing) / most, f"<b>{view.rate(timing)}</b>", "time"))
        cells += [plain(view.time_text(timing)), plain(view.seconds(timing["asking"])), plain(timing["times"])]
        rows.append([who(one), *cells])
    missing = [one for one in numbers["implementations"] if one not in known]
    head = ["implementation"] + (["into"] if kind == "read" else []) + ["speed", "time", "asking", "times asked"]
    out = table(label, head, rows)
    failed = [one for one in missing if "failed" in one["speed"][kind]]
    failed = [f"{view.name(one)} ({one['speed'][kind]['failed']})" for one in failed]
    if failed:
        out += paragraph("Failed: " + ", ".join(failed) + ".")
    without = [view.name(one) for one in missing if "failed" not in one["speed"][kind]]
    return out + (paragraph("Without it: " + ", ".join(without) + ".") if without else "")


def memory(numbers):
    def peaks(one):
        parts = one["speed"]
        asked, files = parts["asked"], (parts["read"], parts["evaluate"])
        return [asked["idle"], asked["peak"], *(file.get("peak") for file in files)]

    most = max([peak for one in numbers["implementations"] for peak in peaks(one) if peak] or [1])
    rows = []
    for one in numbers["implementations"]:
        cells = [plain("–") if peak is None else bar(peak / most, view.megabytes(peak), "time") for peak in peaks(one)]
        rows.append([who(one), *cells])
    return table("Memory", ["implementation", "start", "question", "reading", "evaluating"], rows)


def level(numbers, index, sections):
    rows, speaking = [], view.speaking(numbers, index)
    for chapter, parts in view.chapters(numbers):
        named = [(chapter, None, "chapter" if sections else "")]
        named += [(part, part, "") for part in parts] if sections else []
        for title, section, kind in named:
            if view.has_level(numbers, chapter, section, index):
                cells = [level_cell(view.tally(one, chapter, section, index)) for one in speaking]
                rows.append([(escape(title), f" class={kind}" if kind else ""), *cells])
    name = view.LEVELS[index][0]
    head = ["section" if sections else "chapter", *(escape(view.name(one)) for one in speaking)]
    return table(f"{'Sections' if sections else 'Chapters'} by {name}", head, rows)


def text(numbers):
    parts = [("grades", "Grades"), ("all", "All"), ("left", "Left out"), ("files", "Real files"), ("time", "Time"), ("memory", "Memory")]
    parts += [(f"cases-{one['key']}", f"{view.name(one)}, case by case") for one in view.explained(numbers)]
    if not numbers["corpus"]:
        parts.remove(("files", "Real files"))
    links = [*parts, *((name, name.capitalize()) for name, _ in view.LEVELS)]
    out = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
        '<meta name="color-scheme" content="light dark">\n<title>Scoreboard of HCL implementations</title>\n',
        f"<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>Scoreboard of HCL implementations</h1>\n",
        paragraph(view.INTRODUCTION.format(**numbers["suite"])),
        '<nav aria-label="Parts of this page"><ul>',
        *(f'<li><a href="#{identifier}">{title}</a></li>' for identifier, title in links),
        "</ul></nav>\n",
        heading("grades", "Grades"),
        paragraph(view.GRADE),
        grades(numbers),
        heading("all", "All questions"),
        overview(numbers),
        paragraph(view.DECISIONS.format(**numbers["suite"])),
        levels(numbers),
        paragraph(view.NO_LEVEL),
        heading("left", "Left out"),
        paragraph("Questions that are not asked, by what an implementation lacks."),
        left_out(numbers),
    ]
    for one in view.explained(numbers):
        out += [heading(f"cases-{one['key']}", f"{view.name(one)}, case by case"), paragraph(view.EXPLAINED), explained(one)]
    if view.left_out(numbers):
        out.append("<p>Left out, because they could not be built or run:</p>\n<ul>")
        out += [f"<li>{escape(why)}</li>" for why in view.left_out(numbers)]
        out.append("</ul>\n")
    if numbers["corpus"]:
        out += [heading("files", "Real files"), paragraph(view.CORPUS), corpus(numbers)]
    out += [heading("time", "Time"), paragraph(view.speed_text(numbers))]
    out += ["<h3>Reading</h3>\n", times(numbers, "read", "Time of reading")]
    out += ["<h3>Evaluating</h3>\n", times(numbers, "evaluate", "Time of evaluating")]
    out += [heading("memory", "Memory"), paragraph(view.MEMORY), memory(numbers)]
    for index, (name, meaning) in enumerate(view.LEVELS):
        out += [heading(name, f"{name.capitalize()}: {meaning}"), level(numbers, index, True)]
    out += [f"<footer>{paragraph(view.measured_on(numbers))}</footer>\n</main>\n</body>\n</html>\n"]
    return "".join(out)
