"""Answers the conformance protocol with tree-sitter-hcl: whether a file in native syntax is valid, and where not.

Its trees show how a file is written and not what it means, so they are not compared.
"""

import json
import sys
from importlib.metadata import version

import tree_sitter
import tree_sitter_hcl

OPERATIONS = ["about", "config"]
PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_hcl.language()))


def errors(root):
    """The nodes that stand for errors, those of a node before those after it."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error:
            waiting.extend(reversed(node.children))


def place(point, offset, source):
    line_start = offset - point.column
    return [point.row + 1, len(source[line_start:offset].decode(errors="replace")) + 1, offset]


def config(text):
    source = text.encode()
    root = PARSER.parse(source).root_node
    found = []
    for node in errors(root):
        where = [place(node.start_point, node.start_byte, source), place(node.end_point, node.end_byte, source)]
        found.append({"severity": "error", "summary": str(node.type), "range": where})
    return {"ok": not root.has_error, "diags": found}


def answer(request):
    operation = request.get("op")
    if operation == "about":
        name = "tree-sitter-hcl"
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
        if "id" in request:
            reply["id"] = request["id"]
        print(json.dumps(reply), flush=True)


main()
