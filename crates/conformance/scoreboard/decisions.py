"""The page on what an implementation must decide, and the choices of those on the scoreboard."""

import view

HEADER = """\
# Decisions of an implementation

<!-- Made by `python3 crates/conformance/scoreboard` from crates/conformance/scoreboard.json: do not edit. -->

The specification leaves some questions open, and in some the official engine does not follow it. An implementation must decide each of them. This
page lists the statements of the suite with such questions, and the choices of the implementations on the [scoreboard](scoreboard.md): how many of their
answers are those of the suite, of the answers that they gave. `–` means that an implementation does not answer such questions.
"""

DIFFER = """\
## The texts and the official engine differ

The suite asks for what the texts say. The row of [DIVERGENCES.md](../DIVERGENCES.md) has the reason. An implementation that follows the official engine gives
other answers.
"""

OPEN = """\
## No text decides

The suite has the answer of the official engine, which is never part of right and wrong.
"""


def cell(count):
    right, wrong, _ = count
    return f"{right}/{right + wrong}" if right + wrong else "–"


def row(numbers, name, statement, more):
    choices = [cell(one["decisions"].get(name, [0, 0, 0])) for one in numbers["implementations"]]
    text = view.source(statement["text"]).replace("|", "\\|")
    return "| " + " | ".join([f"`{name}`", text, *more, *choices]) + " |"


def table(numbers, names, more, cells):
    head = ["name", "statement", *more, *(view.name(one) for one in numbers["implementations"])]
    lines = ["| " + " | ".join(head) + " |", "| --- | --- |" + " --- |" * len(more) + " ---: |" * len(numbers["implementations"])]
    statements = numbers["statements"]
    lines += [row(numbers, name, statements[name], cells(statements[name])) for name in names]
    return "\n".join(lines) + "\n"


def text(numbers):
    statements = numbers["statements"]
    differ = [name for name, one in statements.items() if not one["habits"]]
    habits = [name for name, one in statements.items() if one["habits"]]
    rows = lambda one: [", ".join(f"`{row}`" for row in one["rows"]) or "–"]
    return "\n".join([HEADER, DIFFER, table(numbers, differ, ["row"], rows), OPEN, table(numbers, habits, [], lambda _: [])])
