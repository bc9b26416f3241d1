"""Texts about the numbers, which Markdown and the page share."""

import re

from measure import PATIENCE

LEVELS = [
    ("verdict", "accepted or rejected"),
    ("tree", "the meaning"),
    ("value", "the result of evaluation"),
    ("place", "the position of the first error"),
    ("code", "the kind of each error"),
    ("recovery", "the outline of a broken file"),
]
# The levels that the texts decide.
DECIDED = 3

INTRODUCTION = (
    "This page compares implementations of HCL by the suite {version} of this project: {cases} questions about {statements} "
    "statements. Each implementation has a driver in crates/conformance/drivers. Its answer to `about` says which questions "
    "it supports; the others are left out. So “asked” counts the questions that it supports, and “right” the right answers to "
    "them. “Not answered” counts questions to which the driver says that it does not support them: they are neither right nor "
    "wrong."
)
DECISIONS = (
    "Right is what the specification and the rulings of this project say. Each statement names the sentence that it "
    "follows from. This project is right everywhere by construction: a test checks it. Where the official engine "
    "answers in another way, a row of DIVERGENCES.md says why it is not followed; “by decision” counts these among the wrong "
    "answers. “Habits” are {habits} further questions about unspecified behaviour: how many are answered as the official engine "
    "does. They are never part of right and wrong."
)
GRADE = (
    "Most sources of the suite are valid, so an implementation that accepts everything is right more often than not: “floor” is the "
    "share of right verdicts that the same verdict for all sources gets. So verdicts on valid and invalid sources are counted "
    "apart. The grade is the sum of both shares less 1, times the share of right trees and values, up to 100: the same verdict "
    "for everything gives 0, and so do random ones."
)
CORPUS = (
    "Real files, with the verdict of the official engine: how many of them get the same verdict. Of files in JSON "
    "only the text is judged."
)
EXPLAINED = (
    "Every question that counts against it, with the statement and the row of DIVERGENCES.md that explains the "
    "decision. Where there is no row, nothing was decided: the official engine answers as the suite wants."
)
SPEED = (
    "A generated file of 1 MB is asked about as one question, in a process of its own that was asked once before. "
    "The time is the median of several such questions, from the first byte of the question to the last byte of the "
    "answer, less the time of a question of the same length that there is nothing to do for, and which the column "
    "“asking” has. So it is the time of the implementation and of what its driver makes of the result. Reading is "
    "the question “config” without a tree, and what comes of it is in the table: a tree over the text reads numbers "
    "and strings only when they are asked for. Evaluating is “attributes”: the file is read, {values} attributes are "
    "evaluated without functions, and their values written. Implementations that need more than {patience} "
    "seconds for it get 100 kB."
)
NO_LEVEL = (
    "A wrong verdict is one mistake: the other levels of that answer are not scored. No text says where an error begins, "
    "which code it has, or what is left of a broken file: place, code and recovery are reported apart. The codes are this "
    "project's own."
)
MEMORY = (
    "The most memory that the process of the driver had: after its start, after a question of the length of the file, "
    "and after reading or evaluating the file once, question and answer included."
)


def name(one):
    note = f" ({one['note']})" if "note" in one else ""
    return one["about"]["name"] + note


def version(one):
    return one["about"].get("version", "").removeprefix("v")


def short_version(one):
    """Without the commit and the time of versions that no one numbered."""
    parts = version(one).split("-")
    return parts[0] if len(parts) < 3 else f"{parts[0]} ({parts[-1][:7]})"


def asked(one):
    return sum(one["counts"].values())


def capability(one, numbers):
    """Its share of the questions."""
    return f"{asked(one)} of {numbers['suite']['cases']}"


def share_right(one):
    given = one["counts"]["right"] + one["counts"]["wrong"] + one["counts"]["failed"]
    return one["counts"]["right"] / given if given else None


def habits(one):
    given = sum(one["habits"].values()) - one["habits"]["unanswered"]
    return f"{one['habits']['right']}/{given}" if given else "–"


INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def source(text):
    """A source in one line, in which ends of lines and invisible characters are seen."""
    text = text.replace("\r", "␍").replace("\n", "↵")
    return INVISIBLE.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)


def share_of(tally):
    """The share of right answers of those that were given."""
    given = tally["right"] + tally["wrong"]
    return percent(tally["right"] / given) if given else "–"


def floor(one):
    """The share of verdicts that are right if all are the same."""
    given = sum(one["grade"][part][kind] for part in ("valid", "invalid") for kind in ("right", "wrong"))
    return percent(one["grade"]["floor"] / given) if given else "–"


def grade_figures(one):
    """Both shares of right verdicts, that of trees and values, that of all verdicts, and its floor."""
    grade = one["grade"]
    both = {kind: grade["valid"][kind] + grade["invalid"][kind] for kind in ("right", "wrong")}
    return [*(share_of(grade[part]) for part in ("valid", "invalid", "meaning")), share_of(both), floor(one)]


def points(number):
    return "–" if number is None else str(number)


def explained(numbers):
    """The implementations whose wrong answers are explained case by case."""
    return [one for one in numbers["implementations"] if one.get("explained")]


def cell(tally):
    """Right answers of those that were given; and the share of it, if there is one."""
    good, bad, missing = tally
    given = good + bad
    if given == 0:
        return ("–" if missing else ""), None, missing
    return f"{good}/{given}", good / given, missing


def percent(share):
    """Never all if something is missing."""
    rounded = f"{100 * share:.1f}"
    return "99.9 %" if rounded == "100.0" and share < 1 else f"{rounded.removesuffix('.0')} %"


def chapters(numbers):
    """The names of the chapters and their sections, in the order of the suite."""
    longest = max(numbers["implementations"], key=lambda one: len(one["chapters"]), default={"chapters": []})
    return [(chapter["name"], [part for part, _ in chapter["sections"]]) for chapter in longest["chapters"]]


def tally(one, chapter, section, level):
    for found in one["chapters"]:
        if found["name"] == chapter:
            levels = found["levels"] if section is None else dict(found["sections"]).get(section)
            return levels[level] if levels else [0, 0, 0]
    return [0, 0, 0]


def speaking(numbers, level):
    """The implementations that say something at a level."""
    return [one for one in numbers["implementations"] if one["levels"][level][0]]


def has_level(numbers, chapter, section, level):
    return any(sum(tally(one, chapter, section, level)) for one in numbers["implementations"])


def seconds(value):
    if value < 0.0995:
        return f"{1000 * value:.1f} ms"
    return f"{value:.2f} s" if value < 9.995 else f"{value:.1f} s"


def megabytes(value):
    return "–" if value is None else f"{value / 1e6:.0f} MB"


def net(timing):
    """The seconds without those of asking; nothing if there are none."""
    if "seconds" not in timing:
        return None
    return max(timing["seconds"] - timing["asking"], 1e-6)


def speed(timing):
    """Bytes in a second."""
    return timing["size"] / net(timing)


def rate(timing):
    value = speed(timing) / 1e6
    return f"{value:.0f} MB/s" if value >= 99.5 else f"{value:.1f} MB/s" if value >= 0.995 else f"{value:.2f} MB/s"


def time_text(timing):
    """The time, and of what file if it is not the usual one."""
    return seconds(net(timing)) + ("" if timing["size"] == 1_000_000 else " for 100 kB")


def speed_text(numbers):
    return SPEED.format(values=f"{values(numbers):,}", patience=PATIENCE)


def why_not(timing):
    return "–" if "unsupported" in timing else timing.get("failed", "–")


def corpus_cell(counts):
    if not counts["answered"]:
        return "–", None
    return f"{counts['right']}/{counts['answered']}", counts["right"] / counts["answered"]


def values(numbers):
    found = [one["speed"]["evaluate"].get("values") for one in numbers["implementations"]]
    return max([count for count in found if count] or [0])


def measured_on(numbers):
    """When and on what the numbers were measured."""
    on = numbers["conditions"]
    cores = f"{on['processors']} processor{'' if on['processors'] == 1 else 's'}"
    parts = [f"Measured on {numbers['date']}, on {on['system']}, {on['processor']}, {cores}."]
    loads = [one["speed"].get("load") for one in numbers["implementations"]]
    loads = [load for load in loads if load is not None]
    if loads:
        low, high = f"{min(loads):.1f}", f"{max(loads):.1f}"
        parts.append(f"While times were measured, {low if low == high else f'{low} to {high}'} processes were running on average.")
        if max(loads) > 0.3 * on["processors"]:
            parts.append("The machine was busy; times are inflated.")
    dates = sorted({one["speed"]["date"] for one in numbers["implementations"] if "date" in one["speed"]})
    if dates and dates != [numbers["date"]]:
        parts.append(f"Times are of {' and '.join(dates)}.")
    parts.append("Languages: " + ", ".join(f"{name} ({text})" for name, text in numbers["tools"].items()) + ".")
    return " ".join(parts)


def left_out(numbers):
    return [f"{one['key']}: {one['why']}" for one in numbers["skipped"]]
