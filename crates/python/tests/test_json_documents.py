"""Documents in the JSON syntax."""

import copy
import pickle
import warnings

import hcl_lr
import pytest
from hcl_lr import Expression

TEXT = """\
{
  "resource": {
    "aws_instance": {
      "web": {
        "//": "The web.",
        "ami": "ami-${var.x}",
        "count": 2,
        "tags": {"Name": "web"},
        "zones": ["a", "${var.b}"]
      },
      "db": {"ami": "$${x}"}
    }
  },
  "locals": [{"a": 1.5, "b": "${f(\\"é\\", local.a)}"}]
}
"""
WEB = "resource.aws_instance.web"


def parsed(text=TEXT, name="main.tf.json"):
    return hcl_lr.parse(text, name=name, json=True)


@pytest.mark.parametrize(
    "at, value",
    [
        (f"{WEB}.ami", Expression('"ami-${var.x}"')),
        (f"{WEB}.count", 2),
        (f"{WEB}.tags", {"Name": "web"}),
        (f"{WEB}.tags.Name", "web"),
        (f"{WEB}.zones", ["a", Expression("var.b")]),
        (f"{WEB}.zones[1]", Expression("var.b")),
        ("resource.aws_instance.db.ami", "${x}"),
        ("locals.b", Expression('f("é", local.a)')),
        ("locals.none", None),
    ],
)
def test_values(at, value):
    found = parsed().get(at)
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize(
    "edit, before, after",
    [
        (lambda doc: doc.set(f"{WEB}.count", 3), '"count": 2', '"count": 3'),
        (lambda doc: doc.set(f"{WEB}.count", Expression("var.n + 1")), '"count": 2', '"count": "${var.n + 1}"'),
        (lambda doc: doc.set(f"{WEB}.count", "${x}"), '"count": 2', '"count": "$${x}"'),
        (lambda doc: doc.set(f"{WEB}.tags.Team", "a", create=True), '"web"}', '"web", "Team": "a"}'),
        (lambda doc: doc.set(doc.find("locals.b.**")[-1], Expression("x")), "local.a", "x"),
        (lambda doc: doc.remove(f"{WEB}.zones[0]"), '["a", ', "["),
        (lambda doc: doc.remove(f"{WEB}.tags"), '        "tags": {"Name": "web"},\n', ""),
        (lambda doc: doc.remove("resource.aws_instance.db"), ',\n      "db": {"ami": "$${x}"}', ""),
        (lambda doc: doc.append("resource.aws_instance.db", "c = d"), '"$${x}"}', '"$${x}", "c": "${d}"}'),
        (lambda doc: doc.append(f"{WEB}.zones", '"c"'), '"${var.b}"]', '"${var.b}", "c"]'),
        (lambda doc: doc.append(f"{WEB}.zones", '"c"', start=True), '["a"', '["c", "a"'),
        (lambda doc: doc.move(f"{WEB}.zones[1]", before=f"{WEB}.zones[0]"), '"a", "${var.b}"', '"${var.b}", "a"'),
        (lambda doc: doc.rename(f"{WEB}.count", "n"), '"count"', '"n"'),
        (lambda doc: doc.set_labels(WEB, ["aws_instance", "app"]), '"web": {', '"app": {'),
        (lambda doc: doc.set(doc.blocks("resource", "aws_instance", "web")[0]["count"], 3), '"count": 2', '"count": 3'),
        (lambda doc: doc.append(doc.blocks("locals")[0].body, "c = 1"), 'local.a)}"', 'local.a)}", "c": 1'),
    ],
)
def test_edits_change_nothing_else(edit, before, after):
    doc = parsed()
    edit(doc)
    assert TEXT.count(before) == 1 and str(doc) == TEXT.replace(before, after)


def test_values_there_and_back():
    """What `get` returns, `set` writes."""
    doc = parsed()
    count = len(doc.find("**"))
    for at in range(count):
        node = doc.find("**")[at]
        if isinstance(node, hcl_lr.Attribute):
            doc.set(node, node.value)
    assert count == len(doc.find("**"))
    assert doc.to_dict() == hcl_lr.loads(TEXT, json=True)


@pytest.mark.parametrize(
    "edit, error, message",
    [
        (lambda doc: doc.comment(WEB, "x"), hcl_lr.EditError, "JSON has no comments"),
        (lambda doc: doc.comment(WEB, "x", trailing=True), hcl_lr.EditError, "JSON has no comments"),
        (lambda doc: doc.comment(doc.find("locals.b.**")[-1], "x"), hcl_lr.EditError, "JSON has no comments"),
        (lambda doc: doc.format(), hcl_lr.EditError, "native syntax"),
        (lambda doc: doc.rename(f"{WEB}.ami", "zones"), hcl_lr.EditError, "already a property `zones`"),
        (lambda doc: doc.append(f"{WEB}.ami", "a = 1"), hcl_lr.EditError, "cannot contain"),
        (lambda doc: doc.set(WEB, 1), hcl_lr.EditError, "a block has no value"),
        (lambda doc: doc.set(f"{WEB}.none", 1), hcl_lr.NotFoundError, "none"),
        (lambda doc: doc.set_labels(WEB, ["a"]), hcl_lr.EditError, "number of labels"),
        (lambda doc: doc.remove(parsed().blocks()[0]), hcl_lr.EditError, "get the node again"),
        (lambda doc: doc.remove("."), hcl_lr.EditError, "can be changed"),
        (lambda doc: doc.remove(doc.body), hcl_lr.EditError, "can be changed"),
    ],
)
def test_refused_edits_change_nothing(edit, error, message):
    doc = parsed()
    with pytest.raises(error, match=message):
        edit(doc)
    assert str(doc) == TEXT


def test_reading():
    doc = parsed()
    web, db, local = doc.blocks()
    assert (web.type, web.labels, web.comment, web.place.line) == ("resource", ["aws_instance", "web"], "The web.", 4)
    assert [repr(item) for item in doc.items()] == [repr(block) for block in (web, db, local)]
    assert [one.name for one in web.attributes()] == ["ami", "count", "tags", "zones"]
    assert doc.blocks("resource", "aws_instance", "db")[0].to_dict() == {"ami": "${x}"}
    assert "ami" in web and "none" not in web and doc.attribute("resource") is None and doc.comments() == []
    zones = web["zones"].expression
    assert (zones.kind, zones.variables()) == ("list", ["var.b"])
    assert [one.kind for one in zones.parts()["elements"]] == ["string", "template"]
    assert [one.name for one in web["tags"].expression.parts()["entries"]] == ["Name"]
    (call,) = [one for one in doc.find("**") if isinstance(one, hcl_lr.ExpressionNode) and one.kind == "call"]
    assert call.text == 'f("é", local.a)' and TEXT[call.place.start :].startswith("f(\\\"")
    assert call.place.end_column - call.place.column == len('f(\\"é\\", local.a)')


def test_the_name_says_which_properties_are_blocks():
    assert [repr(one) for one in parsed(name="x.json").items()] == ["<Attribute resource>", "<Attribute locals>"]
    assert parsed(name="x.json").get(f"{WEB}.count") == 2
    doc = parsed("{}", name="main.tf.json")
    doc.set("variable.a.default", 1, create=True)
    doc.append(".", 'output "b" { value = c }')
    assert doc.to_dict() == {"variable": {"a": {"default": 1}}, "output": {"b": {"value": Expression("c")}}}
    assert [block.type for block in doc.blocks()] == ["variable", "output"]
    array = parsed('[{"variable": {"a": {}}}, {"locals": {"b": 1}}]')
    assert [block.type for block in array.blocks()] == ["variable", "locals"]


def test_strings_of_files_with_values_are_no_templates():
    doc = parsed('{"a": "${b}"}', name="x.tfvars.json")
    assert doc.get("a") == "${b}" and type(doc.get("a")) is str
    assert doc.attribute("a").expression.variables() == []
    doc.set("a", "%{c")
    assert str(doc) == '{"a": "%{c"}'


def test_strings_of_arguments_without_expressions_are_no_templates():
    doc = parsed('{"variable": {"a": {"default": ["${b}"], "description": "$${c}"}}}')
    assert doc.get("variable.a.default") == doc.blocks()[0]["default"].value == ["${b}"]
    assert doc.blocks()[0]["default"].expression.parts()["elements"][0].kind == "string"
    doc.set("variable.a.default[0]", "${c}")
    assert '["${c}"]' in str(doc)
    with pytest.raises(hcl_lr.EditError, match="not evaluated"):
        doc.set("variable.a.default", Expression("var.b"))


def test_the_name_of_a_file_says_its_syntax(tmp_path):
    path = tmp_path / "Main.TF.JSON"
    path.write_text(TEXT, encoding="utf-8")
    doc = hcl_lr.parse_file(path)
    assert doc.json and str(doc) == TEXT
    with pytest.raises(hcl_lr.ParseError):
        hcl_lr.parse(TEXT, name="main.tf.json")
    with pytest.raises(hcl_lr.ParseError):
        parsed("{")
    assert hcl_lr.parse('{"a": [1', json=True, strict=False).diagnostics


def test_copies():
    doc = parsed()
    for other in (copy.copy(doc), copy.deepcopy(doc), pickle.loads(pickle.dumps(doc))):
        assert other == doc and other.json and other.name == doc.name
        other.set(f"{WEB}.count", 0)
        assert doc.get(f"{WEB}.count") == 2
    assert hcl_lr.parse("", json=False) != hcl_lr.parse("", json=True, strict=False)


def test_loading():
    text = '{"b": "$${x}", "a": ["${y}", "%{ if z }1%{ endif }", null, 1e2], "${k}": {"c": -0.5}}'
    loaded = hcl_lr.loads(text, json=True)
    condition = Expression('"%{if z}1%{endif}"')
    assert loaded == {"b": "${x}", "a": [Expression("y"), condition, None, 100], "${k}": {"c": hcl_lr.loads("c = -0.5")["c"]}}
    assert list(loaded) == ["b", "a", "${k}"] and isinstance(loaded, hcl_lr.Body)
    assert [type(one) for one in loaded["a"][:2]] == [Expression, Expression]
    assert hcl_lr.loads(hcl_lr.dumps({"a": loaded["a"]})) == {"a": loaded["a"]}
    for wrong in ('{"a": 1, "a": 2}', "[", "1"):
        with pytest.raises(hcl_lr.ParseError):
            hcl_lr.loads(wrong, json=True)


def test_queries_of_texts_reach_into_strings():
    rows = hcl_lr.query(("main.tf.json", TEXT), "**", where='node.kind == "reference"', select="node.text")
    assert [row.value for row in rows] == ["var.x", "var.b", "local.a"]
    assert [row.address for row in hcl_lr.query(("main.tf.json", TEXT), "resource[*][*]")] == [
        WEB,
        "resource.aws_instance.db",
    ]


def test_nodes_of_another_document_change_nothing():
    native = hcl_lr.parse('a "b" {\n  c = 1\n  d = [1, { e = f(g) }]\n}\n')
    for doc, other in ((native, parsed()), (parsed(), native), (parsed(), parsed())):
        before = str(doc)
        for node in other.find("**"):
            for edit in (
                lambda: doc.set(node, 1),
                lambda: doc.remove(node),
                lambda: doc.append(node, "q = 1"),
                lambda: doc.rename(node, "q"),
                lambda: doc.set_labels(node, ["q"]),
                lambda: doc.comment(node, "q"),
                lambda: doc.move(node, into="."),
                lambda: doc.move(doc.items()[0], into=node),
                lambda: doc.move(doc.items()[0], before=node),
            ):
                with pytest.raises(hcl_lr.HclError):
                    edit()
        assert str(doc) == before


def test_comments_of_new_text_are_left_out_with_a_warning():
    text = '{"a": {"b": 1}}\n'
    doc = parsed(text, "a.hcl.json")
    with pytest.warns(UserWarning, match="JSON has no comments: 2 comments left out") as caught:
        doc.append("a", "# why\nc = 2 # what")
    assert caught[0].filename == __file__
    assert doc.text == '{"a": {"b": 1, "c": 2}}\n'
    with pytest.warns(UserWarning, match="1 comment left out"):
        doc.set("a.b", Expression("[1, # one\n 2]"))
    assert doc.get("a.b") == [1, 2]


def test_an_edit_that_loses_comments_is_not_made_if_warnings_are_errors():
    doc = parsed('{"a": 1}\n', "a.hcl.json")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            doc.append(".", "b = 2 # what")
        assert doc.text == '{"a": 1}\n'
        doc.append(".", "b = 2")
        native = hcl_lr.parse("a = 1\n")
        native.append(".", "b = 2 # what")
    assert native.text == "a = 1\nb = 2 # what\n"
