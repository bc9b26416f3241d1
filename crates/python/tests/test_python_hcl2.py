"""The interface of python-hcl2."""

import io
import pathlib

import hcl_lr
import pytest
from hcl_lr import hcl2

TEXT = """\
# about
a "b" c {
  d = 1 + 2 # inline
  e = ["x", { f = null, "g" = y }]
  h = <<EOT
text
EOT
  i = -1.5
  k = [-1, - 2, -1e3, -x]
  j = "${k}$${l}"
}
"""


def test_there_and_back():
    objects = hcl2.loads(TEXT)
    assert objects["__comments__"] == [{"value": "about"}]
    body = objects["a"][0]['"b"']["c"]
    assert body["d"] == "${1 + 2}" and body["i"] == -1.5 and body["__inline_comments__"] == [{"value": "inline"}]
    plain = hcl2.SerializationOptions(with_comments=False)
    assert hcl2.loads(hcl2.dumps(objects), serialization_options=plain) == hcl2.loads(TEXT, serialization_options=plain)


def test_heredocs_in_lists_and_objects_can_be_read_again():
    objects = {"a": ['"<<EOT\nx\nEOT"', 1], "b": {"c": '"<<EOT\ny\nEOT"', "d": 2}}
    assert hcl2.loads(hcl2.dumps(objects)) == objects


@pytest.mark.parametrize(
    "text",
    [
        'a = b ? "" : <<EOT\nx = ${c}\n  EOT\n',
        "a = f(<<A\nx\nA\n, <<-B\n  y\n  B\n)\n",
        "a = f([<<A\nx\nA\n, 1])\n",
        "a = f({ b = <<A\nx\nA\n  c = 1 })\n",
        "a = 1 + { b = <<A\n\\x \"y\" ${z} %{ if q }r%{ endif }\nA\n  c = 1 }.d\n",
        'a = b ? (<<A\n"<<B\nB"\nA\n) : ""\n',
        'a = f("<<A", c)\n',
    ],
)
def test_heredocs_in_expressions_are_written(text):
    """python-hcl2 has them in quotes, with their lines."""
    objects = hcl2.loads(text)
    assert hcl2.loads(hcl2.dumps(objects)) == objects, hcl2.dumps(objects)


@pytest.mark.parametrize("count", [1, 7, 8, 9, 10, 40])
def test_names_are_known_again_however_many_there_are(count):
    """Blocks of a type are together, at the place of the first one; of two equal keys of an object, the last one counts."""
    names = [f"n{number}" for number in range(count)]
    attributes = "".join(f"{name} = 1\n" for name in names)
    blocks = "".join(f"b{name} {{}}\n" for name in names)
    keys = ", ".join(f"{name} = {value}" for value in (1, 2) for name in names)
    plain = hcl2.SerializationOptions(explicit_blocks=False)
    objects = hcl2.loads(f"{attributes}{blocks}{blocks}o = {{ {keys} }}\n", serialization_options=plain)
    assert objects == {
        **{name: 1 for name in names},
        **{f"b{name}": [{}, {}] for name in names},
        "o": {name: 2 for name in names},
    }
    assert list(objects) == [*names, *(f"b{name}" for name in names), "o"] and list(objects["o"]) == names
    assert hcl_lr.loads(f"{attributes}{blocks}{blocks}o = {{ {keys} }}\n") == objects
    for loads, error in ((hcl2.loads, RuntimeError), (hcl_lr.loads, hcl_lr.HclError)):
        with pytest.raises(error, match="n0"):
            loads(f"{attributes}n0 {{}}\n")


def test_files_and_documents():
    tree = hcl2.parse(io.StringIO(TEXT))
    assert hcl2.reconstruct(tree) == TEXT
    assert hcl2.serialize(tree) == hcl2.load(io.StringIO(TEXT))
    assert tree.document.get("a.b.c.i") is not None
    assert "__comments__" not in hcl2.parses(TEXT, discard_comments=True).serialize()


def test_query_is_a_function_and_a_package():
    from hcl_lr.hcl2.query import DocumentView
    from hcl_lr.hcl2.query.body import DocumentView as Same

    assert DocumentView is Same and isinstance(hcl2.query("a = 1\n"), DocumentView)


@pytest.mark.parametrize("work", [lambda: hcl2.parses_to_tree("a = 1"), lambda: hcl2.transform(None)])
def test_trees_of_lark_are_refused_with_the_way_to_go(work):
    with pytest.raises(NotImplementedError, match="hcl_lr.parse"):
        work()


def test_the_same_as_python_hcl2():
    theirs = pytest.importorskip("hcl2")
    if not hasattr(theirs, "SerializationOptions"):
        pytest.skip("this is not python-hcl2 8")
    examples = pathlib.Path(__file__).parents[3] / "examples"
    texts = [TEXT] + [path.read_text() for path in sorted(examples.glob("*.hcl"))]
    options = ["wrap_objects", "wrap_tuples", "force_operation_parentheses", "strip_string_quotes"]
    compared = 0
    for text in texts:
        try:
            wanted = theirs.loads(text)
        except Exception:
            continue
        assert hcl2.loads(text) == wanted
        for option in options:
            chosen = {option: True}
            assert hcl2.loads(text, serialization_options=hcl2.SerializationOptions(**chosen)) == theirs.loads(
                text, serialization_options=theirs.SerializationOptions(**chosen)
            ), option
        compared += 1
    assert compared > 0
