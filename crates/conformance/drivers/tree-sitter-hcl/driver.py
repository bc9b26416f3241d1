"""Answers the conformance protocol with tree-sitter-hcl: whether a file in native syntax is valid, where it is not, and
what is left of a broken one.

Its trees show how a file is written and not what it means, so they are not compared.
"""

import sys
from importlib.metadata import version
from pathlib import Path

import tree_sitter
import tree_sitter_hcl

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from serve import serve

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


def config(request):
    source = request["src"].encode()
    root = PARSER.parse(source).root_node
    found = []
    for node in errors(root):
        where = [place(node.start_point, node.start_byte, source), place(node.end_point, node.end_byte, source)]
        found.append({"severity": "error", "summary": str(node.type), "range": where})
    return {"ok": not root.has_error, "diags": found}


def outline(node):
    """The attributes and blocks below a node; what stands in an error counts as well."""
    items = []
    for child in node.children:
        if child.type == "attribute":
            items.append({"attr": child.children[0].text.decode()})
        elif child.type == "block":
            names = [part.text.decode() for part in child.children if part.type in ("identifier", "string_lit")]
            labels = [name[1:-1] if name.startswith('"') else name for name in names[1:]]
            items.append({"block": names[0] if names else "", "labels": labels, "body": outline(child)})
        elif child.type in ("body", "ERROR"):
            items += outline(child)
    return items


def recover(request):
    return {**config(request), "outline": outline(PARSER.parse(request["src"].encode()).root_node)}


ABOUT = {"name": "tree-sitter-hcl", "version": version("tree-sitter-hcl"), "reads": "files", "lacks": ["json"]}
serve(ABOUT, {"config": config, "recover": recover})
