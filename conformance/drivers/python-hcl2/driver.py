"""Answers the conformance protocol with python-hcl2: whether a file in native syntax is valid, and where not.

python-hcl2 neither evaluates nor keeps the order of a body's items, so there are no trees and no values.
"""

import json
import sys
from importlib.metadata import version

import hcl2
from lark.exceptions import UnexpectedInput

OPERATIONS = ["about", "config"]


def diagnostic(error, source):
    found = {"severity": "error", "summary": str(error).splitlines()[0]}
    line, column = getattr(error, "line", -1), getattr(error, "column", -1)
    if isinstance(error, UnexpectedInput) and line > 0 and column > 0:
        lines = source.split("\n")
        offset = sum(len(text.encode()) + 1 for text in lines[: line - 1])
        offset += len(lines[line - 1][: column - 1].encode())
        place = [line, column, offset]
        found["range"] = [place, place]
    return found


def config(source):
    try:
        hcl2.loads(source)
    except Exception as error:  # whatever it raises is its verdict
        return {"ok": False, "diags": [diagnostic(error, source)]}
    return {"ok": True, "diags": []}


def answer(request):
    operation = request.get("op")
    if operation == "about":
        name = "python-hcl2"
        return {"name": name, "version": version(name), "operations": OPERATIONS, "dialects": ["engine"]}
    if operation != "config":
        return {"unsupported": operation}
    if "src" not in request:
        return {"unsupported": "src_base64"}
    return config(request["src"])


def main():
    for line in sys.stdin:
        if not line.strip():
            continue
        try:
            request = json.loads(line)
            reply = answer(request)
        except ValueError as error:
            request, reply = {}, {"bad_request": str(error)}
        except RecursionError:
            reply = {"crash": "recursion is too deep"}
        if "id" in request:
            reply["id"] = request["id"]
        print(json.dumps(reply), flush=True)


main()
