"""A badge and a data file for each implementation."""

import json
from html import escape

import view

# The least grade of each colour.
COLOURS = [(95, "#2a7d2e"), (80, "#7a7a10"), (50, "#a85a00"), (0, "#b03030")]
# The width of a character and of the space beside a text, in pixels.
CHARACTER, SPACE = 7, 12


def colour(points):
    return "#666" if points is None else next(name for least, name in COLOURS if points >= least)


def badge(label, value, fill):
    """A badge as a picture that needs no font or file from elsewhere."""
    left, right = (len(part) * CHARACTER + SPACE for part in (label, value))
    texts = "".join(
        f'<text x="{x}" y="14" text-anchor="middle">{escape(part)}</text>'
        for x, part in ((left / 2, label), (left + right / 2, value))
    )
    title = escape(f"{label}: {value}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{title}">'
        f"<title>{title}</title>"
        f'<rect width="{left + right}" height="20" rx="3" fill="#444"/>'
        f'<rect x="{left}" width="{right}" height="20" rx="3" fill="{fill}"/>'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">{texts}</g></svg>\n'
    )


def data(one, numbers):
    return {
        "implementation": one["about"]["name"],
        "version": view.version(one),
        "language": one["language"],
        "suite": {"version": numbers["suite"]["version"], "sha256": numbers["suite"]["sha256"], "cases": numbers["suite"]["cases"]},
        "date": numbers["date"],
        "grade": one["grade"],
        "counts": one["counts"],
        "left_out": one["left_out"],
        "levels": {name: dict(zip(("right", "wrong", "unsupported"), tally)) for (name, _), tally in zip(view.LEVELS, one["levels"])},
        "chapters": {chapter["name"]: chapter["grade"] for chapter in one["chapters"]},
    }


def files(numbers):
    """The name and the text of each file."""
    made = []
    for one in numbers["implementations"]:
        points = one["grade"]["points"]
        value = "no grade" if points is None else f"grade {points}"
        made.append((f"{one['key']}.svg", badge(f"HCL suite {numbers['suite']['version']}", value, colour(points))))
        made.append((f"{one['key']}.json", json.dumps(data(one, numbers), ensure_ascii=False, indent=1) + "\n"))
    return made
