"""Answers the conformance protocol with pyhcl, which reads HCL 1: the language before the one of this suite.

It gives a dictionary in which attributes and blocks look alike, and evaluates nothing: strings keep their sequences.
"""

import sys
from importlib.metadata import version
from pathlib import Path

import hcl

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from serve import Unsupported, serve


def parsed(source):
    try:
        return hcl.loads(source), None
    except RecursionError:
        raise
    except Exception as error:  # whatever it raises is its verdict
        return None, {"ok": False, "parsed": False, "diags": [{"severity": "error", "summary": str(error)}]}


def encoded(value):
    if isinstance(value, bool) or value is None:
        return value if value is not None else {"null": "dynamic"}
    if isinstance(value, (int, float)):
        return {"number": repr(value)}
    if isinstance(value, list):
        return {"tuple": [encoded(part) for part in value]}
    if isinstance(value, dict):
        return {"object": {str(name): encoded(part) for name, part in value.items()}}
    return str(value)


def config(request):
    _, failed = parsed(request["src"])
    return failed or {"ok": True, "diags": []}


def attributes(request):
    if request.get("vars") or request.get("scopes") or request.get("functions"):
        raise Unsupported("variables and functions")
    found, failed = parsed(request["src"])
    return failed or {"ok": True, "parsed": True, "diags": [], "values": {name: encoded(v) for name, v in found.items()}}


ABOUT = {"name": "pyhcl", "version": version("pyhcl"), "reads": "files", "lacks": ["types", "unknowns"]}
serve(ABOUT, {"config": config, "attributes": attributes})
