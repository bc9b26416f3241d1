"""Answers the conformance protocol with a Python package named `hcl2`: python-hcl2, or bc-python-hcl2, its fork.

They neither evaluate nor keep the order of a body's items, so there are no trees and no values: only whether a file in
native syntax is valid, and where it is not. The argument is the name of the package.
"""

import sys
from importlib.metadata import version
from pathlib import Path

import hcl2
from lark.exceptions import UnexpectedInput

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from serve import serve

NAME = sys.argv[1] if len(sys.argv) > 1 else "python-hcl2"


def diagnostic(error, source):
    found = {"severity": "error", "summary": (str(error).splitlines() or [type(error).__name__])[0]}
    line, column = getattr(error, "line", -1), getattr(error, "column", -1)
    if isinstance(error, UnexpectedInput) and line > 0 and column > 0:
        lines = source.split("\n")
        offset = sum(len(text.encode()) + 1 for text in lines[: line - 1])
        offset += len(lines[line - 1][: column - 1].encode())
        place = [line, column, offset]
        found["range"] = [place, place]
    return found


def config(request):
    try:
        hcl2.loads(request["src"])
    except RecursionError:
        raise
    except Exception as error:  # whatever it raises is its verdict
        return {"ok": False, "diags": [diagnostic(error, request["src"])]}
    return {"ok": True, "diags": []}


serve({"name": NAME, "version": version(NAME), "reads": "files"}, {"config": config})
