"""The package: examples in docstrings, values, documents, evaluation, checks, queries, projects."""

import copy
import decimal
import doctest
import importlib
import json
import math
import pathlib
import pickle
import pkgutil
import random
import subprocess
import sys
import threading

import hcl_lr
import pytest
from hcl_lr import Body, Expression, Sensitive, Unknown

MODULES = ["hcl_lr"] + [
    one.name
    for one in pkgutil.walk_packages(hcl_lr.__path__, "hcl_lr.")
    if not one.name.endswith(("_native", "__main__", "_spark_source"))
]

TEXT = """\
# About the service.
service "web" "eu" {
  port  = 8080 # fixed
  hosts = ["a", var.b]
  tags = {
    Name = "web"
  }

  rule {
    open = true
  }
}
"""


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    if name == "hcl_lr.spark":
        pytest.importorskip("pyarrow")
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.failed == 0


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0,
        -1,
        2**63,
        -(2**200),
        pytest.param(10**5000, id="long"),
        decimal.Decimal("0.1"),
        decimal.Decimal("123456789.000000001"),
        "",
        'a"b\\c\n${d}%{e}',
        "\u00e4\U0001f600",
        [],
        [1, [2, {"a": None}]],
        {},
        {"a b": 1, "c": [True]},
    ],
)
def test_values_go_there_and_back(value):
    assert hcl_lr.evaluate("x", {"x": value}) == value
    text = hcl_lr.dumps({"x": value})
    assert hcl_lr.loads(text) == {"x": value}, text


def test_numbers_are_exact():
    assert hcl_lr.evaluate("0.1 + 0.2") == decimal.Decimal("0.3")
    assert isinstance(hcl_lr.evaluate("1.0 * 3"), int)
    assert hcl_lr.loads("a = 1e3\nb = -2\nc = 0.50\n") == {"a": 1000, "b": -2, "c": decimal.Decimal("0.5")}


@pytest.mark.parametrize("value", [math.nan, object(), b"bytes", {1: 2}, {"a": {1, 2}}])
def test_what_is_no_value_is_refused(value):
    with pytest.raises((TypeError, ValueError)):
        hcl_lr.evaluate("x", {"x": value})


def test_a_list_that_contains_itself_is_refused():
    endless = []
    endless.append(endless)
    for work in (lambda: hcl_lr.evaluate("x", {"x": endless}), lambda: hcl_lr.dumps({"x": endless})):
        with pytest.raises(ValueError, match="levels"):
            work()


def test_unknown_and_sensitive_values_stay_so():
    assert hcl_lr.evaluate("[x, 1]", {"x": Unknown("number")}) == [Unknown("number"), 1]
    assert hcl_lr.evaluate("x", {"x": Unknown("list(string)")}) == Unknown("list(string)")
    hidden = hcl_lr.evaluate('"${x}!"', {"x": Sensitive("secret")})
    assert isinstance(hidden, Sensitive) and hidden.value == "secret!"
    assert "secret" not in repr(hidden) + str(hidden)
    with pytest.raises(ValueError):
        hcl_lr.dumps({"x": Sensitive(1)})
    with pytest.raises(TypeError):
        bool(Unknown())


def test_functions_of_python():
    assert hcl_lr.evaluate("join_all(xs, 1)", {"xs": ["a", 2]}, {"join_all": lambda xs, n: [*xs, n]}) == ["a", 2, 1]

    def fails(_):
        raise KeyError("no such thing")

    with pytest.raises(hcl_lr.EvaluationError, match="no such thing"):
        hcl_lr.evaluate("f(1)", functions={"f": fails})
    assert hcl_lr.evaluate("f(x)", {"x": Unknown("number")}, {"f": fails}) == Unknown()


def test_limits_and_timeouts():
    with pytest.raises(hcl_lr.EvaluationError):
        hcl_lr.evaluate("[for x in range(1000) : [for y in range(1000) : x * y]]", limits={"steps": 1000})
    loop = "length([for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a + b + c]]])"
    with pytest.raises(hcl_lr.EvaluationError):
        hcl_lr.evaluate(loop, limits={"steps": 2**62, "bytes": 2**62, "elements": 2**62}, timeout=0.05)
    with pytest.raises(hcl_lr.ParseError):
        hcl_lr.evaluate("1 +")
    with pytest.raises(ValueError, match="there is no limit"):
        hcl_lr.evaluate("1", limits={"cows": 1})


def test_exceptions_have_diagnostics():
    with pytest.raises(hcl_lr.ParseError) as caught:
        hcl_lr.loads("a = [1,\nb = 2\n", name="main.tf")
    error = caught.value
    assert error.diagnostics[0].place.file == "main.tf"
    assert "main.tf" in error.render() and "\x1b[" in error.render(color=True)
    again = pickle.loads(pickle.dumps(error))
    assert again.diagnostics == error.diagnostics and str(again) == str(error)


def test_a_panic_is_an_exception(capfd):
    with pytest.raises(hcl_lr.InternalError, match="as requested"):
        hcl_lr._native.panic_for_tests()
    assert hcl_lr.evaluate("1 + 1") == 2


def test_reading_a_document():
    doc = hcl_lr.parse(TEXT)
    (block,) = doc.blocks("service", "web")
    assert (block.type, block.labels, block.comment) == ("service", ["web", "eu"], "About the service.")
    assert doc.blocks("service", "other") == []
    assert block["port"].value == 8080 and block["port"].trailing_comment == "fixed"
    assert block["hosts"].value == ["a", Expression("var.b")]
    assert block["hosts"].expression.variables() == ["var.b"]
    assert block["hosts"].expression.parts()["elements"][1].kind == "reference"
    assert [item.text.split()[0] for item in block.items()] == ["port", "hosts", "tags", "rule"]
    assert block["port"].place.line == 3
    assert doc.get("service.web.eu.tags.Name") == "web"
    assert doc.get("service.web.none", "default") == "default"
    assert "service.web.eu.rule" in doc and "service.web.none" not in doc
    with pytest.raises(KeyError):
        block["none"]
    assert [comment.content for comment in doc.comments()] == ["About the service.", "fixed"]
    assert doc.to_dict() == hcl_lr.loads(TEXT)


def test_editing_a_document():
    doc = hcl_lr.parse(TEXT)
    doc.set("service.web.eu.port", 80)
    doc.set("service.web.eu.tags.Team", "a", create=True)
    doc.append("service.web.eu.hosts", '"c"')
    doc.comment("service.web.eu.rule", "Open.")
    doc.move("service.web.eu.rule", before="service.web.eu.tags")
    doc.remove("service.web.eu.hosts[0]")
    doc.rename("service.web.eu.rule.open", "is_open")
    doc.set_labels("service.web.eu", ["web", "us"])
    assert str(doc) == (
        "# About the service.\n"
        'service "web" "us" {\n'
        "  port  = 80 # fixed\n"
        '  hosts = [var.b, "c"]\n'
        "\n"
        "  # Open.\n"
        "  rule {\n"
        "    is_open = true\n"
        "  }\n"
        "\n"
        "  tags = {\n"
        '    Name = "web"\n'
        '    Team = "a"\n'
        "  }\n"
        "}\n"
    )


def test_nodes_of_an_earlier_state_can_be_read_and_not_edited():
    doc = hcl_lr.parse("a = 1\nb = 2\n")
    old = doc.attribute("a")
    doc.set("a", 3)
    assert old.value == 1
    with pytest.raises(hcl_lr.EditError, match="changed since"):
        doc.set(old, 4)
    doc.set(doc.attribute("a"), 4)
    assert str(doc) == "a = 4\nb = 2\n"


def test_parts_of_expressions_can_be_set():
    doc = hcl_lr.parse("a = 2 * f(b) # twice\n")
    call = doc.attribute("a").expression.parts()["right"]
    with pytest.raises(hcl_lr.EditError, match="part of an expression"):
        doc.remove(call)
    doc.set(call.parts()["arguments"][0], [1])
    doc.append(doc.attribute("a").expression.parts()["right"], "c")
    assert str(doc) == "a = 2 * f([1], c) # twice\n"


@pytest.mark.parametrize(
    "edit, error",
    [
        (lambda doc: doc.set("none", 1), hcl_lr.NotFoundError),
        (lambda doc: doc.set("x[", 1), hcl_lr.AddressError),
        (lambda doc: doc.set("[*]", 1), hcl_lr.EditError),
        (lambda doc: doc.rename("a", "b"), hcl_lr.EditError),
        (lambda doc: doc.append(".", "a = 2"), hcl_lr.EditError),
        (lambda doc: doc.set("a", Expression("1 +")), hcl_lr.ParseError),
        (lambda doc: doc.set(1, 1), TypeError),
        (lambda doc: doc.move("a"), TypeError),
    ],
)
def test_an_edit_that_cannot_be_made_changes_nothing(edit, error):
    doc = hcl_lr.parse("a = 1\nb = 2\n")
    with pytest.raises(error):
        edit(doc)
    assert str(doc) == "a = 1\nb = 2\n"


def test_documents_and_values_can_be_copied_and_pickled():
    doc = hcl_lr.parse(TEXT, name="main.tf")
    for other in (copy.copy(doc), copy.deepcopy(doc), pickle.loads(pickle.dumps(doc))):
        assert other == doc and other.name == "main.tf"
        other.set("service.web.eu.port", 1)
        assert doc.get("service.web.eu.port") == 8080
    for value in (Expression("a"), Body(a=1), Unknown(), Sensitive(1), hcl_lr.check("a =")[0]):
        again = pickle.loads(pickle.dumps(value))
        assert again == value and type(again) is type(value)


def test_fixes_solve_problems():
    text = "a = 'x'\n"
    (problem,) = hcl_lr.check(text)
    (fix,) = problem.fixes
    assert hcl_lr.check(fix.apply(text)) == []


def test_checks_by_a_schema(tmp_path):
    schema = tmp_path / "app.schema.hcl"
    schema.write_text(
        'language "app" {\n  files "app" {\n    patterns = ["*.app"]\n    body     = app\n  }\n}\n'
        'part "app" {\n  attribute "port" { type = required(number) }\n}\n'
    )
    assert [one.is_error for one in hcl_lr.check("prt = 1\n", name="a.app", schema=str(schema))] == [True, True]
    assert hcl_lr.check("port = 1\n", name="a.app", schema=str(schema)) == []
    with pytest.raises(hcl_lr.SchemaError):
        hcl_lr.check("", schema="no-such-language")


def test_importing_a_schema(tmp_path):
    with pytest.raises(hcl_lr.ParseError):
        hcl_lr.schema_import("{")
    properties = {"port": {"type": "integer", "minimum": 1}, "rule": {"properties": {"path": {"type": "string"}}}}
    whole = {"properties": properties, "required": ["port"], "additionalProperties": False}
    imported = hcl_lr.schema_import(json.dumps(whole), name="service")
    assert imported.lost == ()
    path = tmp_path / "service.schema.hcl"
    path.write_text(imported.text)
    assert hcl_lr.check("port = 1\nrule {\n  path = \"x\"\n}\n", schema=str(path)) == []
    assert [one.place.line for one in hcl_lr.check("port = 0\nrule {}\nhost = 2\n", schema=str(path))] == [1, 3]
    assert '"port"' in hcl_lr.schema_json(str(path))
    assert "port" in hcl_lr.schema_docs(str(path))


def test_queries(tmp_path):
    (tmp_path / "a.tf").write_text('variable "a" {}\nvariable "b" {\n  default = var.x\n}\n')
    (tmp_path / "b.tf").write_text("x = [\n")
    (tmp_path / "c.tf.json").write_text('{"variable": {"c": {"description": "C"}}}')
    rows = hcl_lr.query(tmp_path, "variable[*]", where="!has(description)")
    assert [(row.address, row.status) for row in rows if row.status != "error"] == [
        ("variable.a", "match"),
        ("variable.b", "match"),
    ]
    (wrong,) = [row for row in rows if row.status == "error"]
    assert wrong.file.endswith("b.tf") and wrong.error
    rows = hcl_lr.query(tmp_path, "variable.b", where="self.default == 1")
    (undecided,) = [row for row in rows if row.status != "error"]
    assert undecided.status == "undecided"
    (row,) = hcl_lr.query(str(tmp_path / "c.tf.json"), "variable[*]", select="self.description")
    assert (row.value, row.labels, row.type, row.name) == ("C", ["c"], "variable", "c")
    (missing,) = hcl_lr.query(str(tmp_path / "none.tf"), "[*]")
    assert missing.status == "error"
    with pytest.raises(hcl_lr.AddressError):
        hcl_lr.query(tmp_path, "x[")
    with pytest.raises(hcl_lr.ParseError):
        hcl_lr.query(tmp_path, "x", where="1 +")


def test_progress_and_its_exceptions():
    files = [(f"{n}.tf", "a = 1\n") for n in range(200)]
    seen = []
    hcl_lr.query(files, "a", threads=1, progress=lambda done, all: seen.append((done, all)))
    assert seen[-1] == (200, 200)

    def stops(done, all):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        hcl_lr.query(files, "a", progress=stops)


def test_results_do_not_depend_on_threads():
    files = [(f"{n}.tf", f"a = {n}\nb = a.c\n") for n in range(500)]
    one = hcl_lr.query(files, "[*]", threads=1)
    assert len(one) == 1000 and one == hcl_lr.query(files, "[*]", threads=8)


def test_results_over_folders_do_not_depend_on_threads(tmp_path):
    """Files are searched while others are still found, and links to files that are found anyway are left out."""
    for number in range(60):
        folder = tmp_path / f"m{number % 7}"
        folder.mkdir(exist_ok=True)
        (folder / f"{number:02}.tf").write_text(f"a = {number}\nb = [\n" if number % 20 == 0 else f"a = {number}\n")
    try:
        (tmp_path / "m0" / "a_link.tf").symlink_to(tmp_path / "m6" / "06.tf")
    except OSError:
        pass  # Not all systems have links.
    text = ("first.tf", "a = 0\n")
    one = hcl_lr.query([text, tmp_path / "none.tf", tmp_path], "a", threads=1)
    assert [row.status for row in one].count("match") == 61
    files = [row.file for row in one if row.status == "match"]
    assert files[0] == "first.tf" and files[1:] == sorted(files[1:])
    for threads in (2, 8):
        assert hcl_lr.query([text, tmp_path / "none.tf", tmp_path], "a", threads=threads) == one
    table = hcl_lr.query_table([text, tmp_path / "none.tf", tmp_path], "a", threads=8)
    assert len(table) == len(one)


def test_projects(tmp_path):
    (tmp_path / "main.tf").write_text(
        'variable "region" {\n  default = "eu"\n}\n'
        'locals {\n  name = "web-${var.region}"\n  unused = 1\n  wrong = local.none\n}\n'
        'output "name" {\n  value = local.name\n}\n'
    )
    project = hcl_lr.Project(tmp_path)
    assert project.language in ("terraform", "opentofu") and len(project.files) == 1
    assert {"var.region", "local.name"} <= {one.address for one in project.definitions()}
    assert [place.line for place in project.references("local.name")] == [10]
    assert "local.unused" in project.unused()
    assert any("none" in problem.detail for problem in project.check())
    values, problems = project.evaluate({"region": "us"})
    assert values["local.name"] == "web-us" and any(one.is_error for one in problems)
    with pytest.raises(hcl_lr.NotFoundError):
        project.references("local.none")
    with pytest.raises(FileNotFoundError):
        hcl_lr.Project(tmp_path / "none")


def test_renaming_in_a_project(tmp_path):
    main, module = tmp_path / "main.tf", tmp_path / "net" / "main.tf"
    module.parent.mkdir()
    main.write_text('module "net" {\n  source = "./net"\n  cidr   = "10.0.0.0/8" # wide\n}\n')
    module.write_text('variable "cidr" {}\nlocals {\n  both = "${var.cidr}-${local.own}"\n  own  = 1\n}\n')
    project = hcl_lr.Project(module.parent, schema="terraform")
    texts = project.rename("var.cidr", "range", callers=[tmp_path])
    assert {path.name for path in map(pathlib.Path, texts)} == {"main.tf"} and len(texts) == 2
    assert any("  range  = \"10.0.0.0/8\" # wide" in text for text in texts.values())
    assert "var.cidr" in module.read_text(), "nothing is written"
    project.rename("var.cidr", "range", callers=[tmp_path], write=True)
    assert "variable \"range\"" in module.read_text() and "${var.range}" in module.read_text()
    assert "range  =" in main.read_text()
    assert "var.range" in [one.address for one in project.definitions()]
    assert hcl_lr.Project(tmp_path).check() == []
    with pytest.raises(hcl_lr.EditError, match="is defined already"):
        project.rename("local.own", "both")
    with pytest.raises(hcl_lr.EditError, match="cannot be a name"):
        project.rename("local.own", "a b")
    with pytest.raises(hcl_lr.NotFoundError):
        project.rename("var.cidr", "range")
    module.write_text(module.read_text() + "a = [\n")
    with pytest.raises(hcl_lr.EditError, match="errors"):
        project.rename("local.own", "mine")


def test_renaming_is_that_of_the_program(tmp_path):
    text = 'resource "aws_s3_bucket" "a" {}\noutput "x" {\n  value = aws_s3_bucket.a.arn # a\n}\n'
    (tmp_path / "main.tf").write_text(text)
    (new,) = hcl_lr.Project(tmp_path).rename("aws_s3_bucket.a", "b", moved=True).values()
    arguments = ["mv", "--references", "--moved", "aws_s3_bucket.a", "aws_s3_bucket.b", str(tmp_path)]
    done = subprocess.run([sys.executable, "-m", "hcl_lr", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "main.tf").read_text() == new


def test_documents_are_safe_in_threads():
    doc = hcl_lr.parse("".join(f"a{n} = 0\n" for n in range(8)))

    def work(n):
        for value in range(1, 51):
            doc.set(f"a{n}", value)
            assert doc.get(f"a{n}") == value
            str(doc), doc.attributes()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert doc.to_dict() == {f"a{n}": 50 for n in range(8)}


def test_the_programs(tmp_path):
    (tmp_path / "a.tf").write_text("a=1\n")
    run = lambda *arguments: subprocess.run(  # noqa: E731
        [sys.executable, "-m", "hcl_lr", *arguments], cwd=tmp_path, capture_output=True, text=True
    )
    assert run("get", "a", "a.tf").stdout == "1\n"
    assert run("fmt", "--check", "a.tf").returncode == 1
    assert run("nonsense").returncode == 2
    code = "import sys; sys.argv[0] = 'hcldec'; from hcl_lr._programs import hcldec; hcldec()"
    shown = subprocess.run([sys.executable, "-c", code, "--version"], capture_output=True, text=True)
    assert shown.stdout.strip() == hcl_lr.__version__


def test_edits_are_those_of_the_program(tmp_path):
    """Random edits give the same text in Python and by the program."""
    generator = random.Random(7)
    addresses = ["service.web.eu.port", "service.web.eu.tags.Name", "service.web.eu.hosts[0]", "service.web.eu.rule"]
    path = tmp_path / "a.hcl"
    # Each run of the program starts a process, so there are few here; `edits_beside_the_program` makes as many as you want.
    for _ in range(12):
        path.write_text(TEXT)
        doc = hcl_lr.parse(TEXT)
        address = generator.choice(addresses)
        if generator.random() < 0.5:
            arguments = ["rm", address]
            doc.remove(address)
        else:
            value = generator.choice([0, "x", [1, "y"], {"k": None}])
            if address.endswith("rule"):
                continue
            arguments = ["set", address, hcl_lr.dumps({"v": value}).split(" = ", 1)[1].strip()]
            doc.set(address, value)
        done = subprocess.run([sys.executable, "-m", "hcl_lr", *arguments, str(path)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert path.read_text() == str(doc), arguments


def test_json_of_values_is_that_of_the_program():
    rows = hcl_lr.query(("a.tf", 'a = "${b}"\nc = [1, 1.5]\n'), "[*]")
    assert json.dumps([float(x) if isinstance(x, decimal.Decimal) else x for x in rows[1].value]) == "[1, 1.5]"


SEEDS = [TEXT, 'a = "${b}"\n', "a = <<EOT\n${x}\nEOT\n", "a = [for k, v in x : k => v... if v]\n", "a = {b = 1, (c) = 2}\n"]


def mutated(generator, text):
    data = bytearray(text.encode())
    for _ in range(generator.randrange(1, 6)):
        at = generator.randrange(len(data) + 1)
        kind = generator.randrange(4)
        if kind == 0:
            data[at:at] = generator.choice([b"{", b"}", b'"', b"${", b"[", b"]", b"<<E\n", b"\n", b"(", b"#", b"/*", b"=", b"\x00", b"\xff"])
        elif kind == 1:
            del data[at : at + generator.randrange(1, 8)]
        elif kind == 2:
            data[at:at] = data[at : at + generator.randrange(1, 20)]
        elif data:
            data[at % len(data)] = generator.randrange(256)
    return bytes(data).decode("utf-8", "replace")


def test_hostile_input_ends_no_interpreter(hostile_inputs):
    """Mutated inputs give results or exceptions. `--hostile N` makes more."""
    generator = random.Random(11)
    from hcl_lr import hcl2

    for _ in range(hostile_inputs):
        text = mutated(generator, generator.choice(SEEDS))
        for work in (
            lambda: hcl_lr.loads(text),
            lambda: hcl2.loads(text),
            lambda: hcl_lr.parse(text, strict=False).items(),
            lambda: hcl_lr.check(text),
            lambda: hcl_lr.evaluate_file(text, limits={"steps": 10_000}),
            lambda: hcl_lr.query(("a.tf", text), "**"),
        ):
            try:
                work()
            except (hcl_lr.HclError, RuntimeError) as error:
                assert not isinstance(error, hcl_lr.InternalError), text


JSON_SEEDS = [
    '{"resource": {"a": {"b": {"c": "${d}", "e": [1, {"f": null}], "g": "%{ if h }i%{ endif }"}}}}',
    '[{"variable": {"a": {"default": "$${b}"}}}, {"locals": [{"c": 1.5e3}, {"d": "\\u00e4${f(\\"x\\")}"}]}]',
    '{"//": "x", "output": {"a": {"value": "${[for k, v in x : k => v...]}", "//": 1}}}',
]


def test_hostile_json_ends_no_interpreter(hostile_inputs):
    """Documents of mutated inputs can be read and edited, or refuse it."""
    generator = random.Random(12)
    for _ in range(hostile_inputs):
        text = mutated(generator, generator.choice(JSON_SEEDS))
        doc = hcl_lr.parse(text, name="main.tf.json", json=True, strict=False)
        nodes = doc.find("**")
        for node in nodes:
            assert isinstance(node.text, str) and node.place.file == "main.tf.json"
            if isinstance(node, hcl_lr.ExpressionNode):
                node.value, node.kind, node.parts(), node.variables()
            elif isinstance(node, hcl_lr.Attribute):
                node.value, node.name
            else:
                node.to_dict(), node.items()
        doc.to_dict()
        at = generator.choice(nodes)
        for edit in (
            lambda: hcl_lr.loads(text, json=True),
            lambda: doc.append(at, "zz = 1"),
            lambda: doc.set(at, [1, Expression("zz")]),
            lambda: doc.rename(doc.find("**")[-1], "zz"),
            lambda: doc.move(doc.find("**")[-1], into="."),
            lambda: doc.remove(doc.find("**")[-1]),
        ):
            try:
                edit()
            except hcl_lr.HclError as error:
                assert not isinstance(error, hcl_lr.InternalError) and "internal error" not in str(error), text


def test_deep_input_ends_no_interpreter():
    json_loads = lambda text: hcl_lr.loads(text, json=True)  # noqa: E731
    json_dict = lambda text: hcl_lr.parse(text, json=True).to_dict()  # noqa: E731
    deep = ["[" * 5_000, "a = " + "[" * 990 + "]" * 990, "a {\n" * 990 + "}\n" * 990, "a = " + "1 + " * 20_000 + "1"]
    for text in [*deep, '{"a":' * 990 + "1" + "}" * 990, '{"a":' + "[" * 990 + "]" * 990 + "}"]:
        hcl2_loads = importlib.import_module("hcl_lr.hcl2").loads
        for work in (hcl_lr.loads, hcl_lr.check, hcl_lr.evaluate_file, hcl2_loads, json_loads, json_dict):
            try:
                work(text)
            except hcl_lr.HclError:
                pass


def test_memory_is_flat():
    resource = pytest.importorskip("resource")
    peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # noqa: E731

    def work(times):
        for _ in range(times):
            hcl_lr.loads(TEXT)
            hcl_lr.parse(TEXT).blocks()[0]["port"].value
            with pytest.raises(hcl_lr.ParseError):
                hcl_lr.loads("a =")

    work(500)
    before = peak()
    work(5_000)
    # Kilobytes. A leak of one document each time would be more than 10 megabytes.
    assert peak() - before < 4_000


def test_types_of_the_package():
    pytest.importorskip("mypy")
    # Without it, its classes have no types.
    pytest.importorskip("pyspark")
    root = pathlib.Path(__file__).parents[1]
    if not (root / "pyproject.toml").is_file():
        pytest.skip("the sources are not here")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(root / "python" / "hcl_lr")], capture_output=True, text=True, cwd=root
    )
    assert done.returncode == 0, done.stdout
