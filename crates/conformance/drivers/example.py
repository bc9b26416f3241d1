#!/usr/bin/env python3
"""A driver of the conformance protocol for a very small part of HCL: literals.

It knows numbers, true, false, null and strings without sequences, as expressions and in attributes of files.
Whatever else it is asked, it says that it does not support it. It needs nothing but Python.
"""
import json, re, sys, unicodedata

NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?\Z")
STRING = re.compile(r'"((?:[^"\\\r\n$%]|\\["\\nrt])*)"\Z')
LINE = re.compile(r"([A-Za-z][A-Za-z0-9_-]*)[ \t]*=[ \t]*([^=\s].*)\Z")
ESCAPES = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}
WORDS = {"true": True, "false": False, "null": {"null": "dynamic"}}


class Unsupported(Exception):
    pass


def literal(text):
    """The tree and the value of a literal."""
    text = text.strip(" \t")
    if text in WORDS:
        return {"lit": WORDS[text]}, WORDS[text]
    if NUMBER.match(text):
        if len(re.split("[eE][+-]?", text)[-1]) > 4 and "e" in text.lower():
            raise Unsupported("numbers with large exponents")
        return {"lit": {"number": text}}, {"number": text}
    string = STRING.match(text)
    if not string:
        raise Unsupported("anything but literals")
    value = unicodedata.normalize("NFC", re.sub(r"\\(.)", lambda match: ESCAPES[match[1]], string[1]))
    return {"template": [{"lit": value}] if value else []}, value


def attributes(text):
    """The names of the attributes of a file, each with the tree and the value of its literal."""
    for line in text.split("\n"):
        if line.strip(" \t"):
            match = LINE.match(line.strip(" \t"))
            if not match:
                raise Unsupported("anything but attributes")
            yield match[1], *literal(match[2])


def answer(request):
    op, fine = request["op"], {"ok": True, "diags": []}
    if op == "about":
        return {"name": "literals in Python", "version": "1", "protocol": 1,
                "operations": ["about", "expr", "config", "attributes", "echo"], "dialects": ["engine"]}
    if op == "echo":
        return {"ok": True, "value": request["value"]}
    if op not in ("expr", "config", "attributes") or "src" not in request or "dialect" in request:
        raise Unsupported(op)
    if op == "expr":
        tree, value = literal(request["src"])
        return {"parsed": True, "ast": tree, "value": value, **fine}
    found = list(attributes(request["src"]))
    if len({name for name, _, _ in found}) < len(found):
        raise Unsupported("names that are defined twice")
    if op == "config":
        return {"ast": [{"attr": name, "expr": tree} for name, tree, _ in found], **fine}
    return {"parsed": True, "values": {name: value for name, _, value in found}, **fine}


for line in sys.stdin:
    request = json.loads(line)
    try:
        result = answer(request)
    except Unsupported as what:
        result = {"unsupported": str(what)}
    except (ValueError, KeyError, TypeError) as why:
        result = {"bad_request": repr(why)}
    print(json.dumps({"id": request.get("id"), **result}), flush=True)
