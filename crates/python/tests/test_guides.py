"""Runs the examples of the guides.

Each file in a fence whose info string ends with a name is written into a folder, in which the fences `pycon` run, one after
the other. `UPDATE_GOLDEN=1` writes what they print now into the guides.
"""

import contextlib
import io
import os
import pathlib
import re
import traceback

import pytest

DOCS = pathlib.Path(__file__).parents[3] / "docs"
GUIDES = ["python.md", "python-cookbook.md", "python-audit.md", "moving-from-python-hcl2.md"]
EXAMPLE = re.compile(r"^>>> .*\n(?:^\.\.\..*\n)*", re.M)
FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)


def printed(source, names):
    """Returns what an example prints, with the last line of an exception."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(source, "<guide>", "single"), names)
        except Exception as error:
            kind, _, text = "".join(traceback.format_exception_only(type(error), error)).partition(": ")
            out.write(f"{kind.rpartition('.')[2]}: {text.strip()}\n")
    return out.getvalue()


@pytest.mark.parametrize("name", GUIDES)
def test_guide(name, tmp_path, monkeypatch):
    path = DOCS / name
    if not path.is_file():
        pytest.skip("the guides are not here")
    if "polars" in path.read_text():
        pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    text = path.read_text(encoding="utf-8")
    names = {"__name__": "guide"}
    examples = 0
    result = []
    at = 0
    for fence in FENCE.finditer(text):
        language, file, inside = fence.groups()
        if file:
            pathlib.Path(file).parent.mkdir(parents=True, exist_ok=True)
            pathlib.Path(file).write_text(inside)
        if language != "pycon":
            continue
        made = []
        for example in EXAMPLE.finditer(inside):
            examples += 1
            source = "".join(line[4:] + "\n" for line in example[0].splitlines())
            made.append(example[0] + printed(source, names))
        result.append(text[at : fence.start(3)])
        result.append("".join(made))
        at = fence.end(3)
    result.append(text[at:])
    assert examples > 5
    new = "".join(result)
    if os.environ.get("UPDATE_GOLDEN") == "1":
        path.write_text(new, encoding="utf-8")
    assert new == text
