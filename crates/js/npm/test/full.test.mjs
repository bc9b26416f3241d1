// Checks, values, searches and schemas.
import assert from "node:assert/strict";
import { test } from "node:test";
import { check, compare, evaluate, evaluateExpression, fromJson, HclError, query, schema } from "../dist/index.mjs";

const project = {
  "main.tf": 'locals {\n  zone = "${var.region}-a"\n}\noutput "zone" {\n  value = local.zone\n}\n',
  "variables.tf": 'variable "region" {\n  type = string\n}\nvariable "password" {\n  type      = string\n  sensitive = true\n}\n',
};

test("check reads the files of a folder together", () => {
  assert.deepEqual(check(project), []);
  const [found] = check({ "main.tf": project["main.tf"] });
  assert.equal(found.code, "unknown-variable");
  assert.deepEqual(found.range.start, { offset: 25, line: 2, column: 17 });
});

test("check has modules, schemas by name, by file and by text", () => {
  const files = { "main.tf": 'module "a" {\n  source = "./a"\n  name   = "x"\n}\n', "a/main.tf": 'variable "nam" {\n  type = string\n}\n' };
  assert.ok(check(files).some((found) => found.file === "main.tf"));
  const text = 'language "app" {\n  files "app" {\n    patterns = ["*.app"]\n    body     = app\n  }\n}\npart "app" {\n  attribute "port" { type = optional(number, 80) }\n}\n';
  assert.equal(check("prt = 1\n", { schema: text }).length, 1);
  assert.equal(check({ "x.app": "prt = 1\n", "app.schema.hcl": text }, { schema: "app.schema.hcl" }).filter((found) => found.file === "x.app").length, 1);
  assert.throws(() => check("", { schema: "cobol" }), { message: /^there is no language named `cobol`; there are / });
});

test("values of plain files", () => {
  const { value, unknown, sensitive } = evaluate('port = base + 1\nurl = "http://${port}"\nservice "a" {\n  x = [for n in [1, 2] : n * port]\n}\n', {
    variables: { base: 8000 },
  });
  assert.deepEqual(value, { port: 8001, url: "http://8001", service: { a: [{ x: [8001, 16002] }] } });
  assert.deepEqual([unknown, sensitive], [[], []]);
});

test("values of a language, with hidden and unknown parts", () => {
  const files = { ...project, "out.tf": 'output "p" {\n  value     = var.password\n  sensitive = true\n}\noutput "q" {\n  value = data.x.y.z\n}\n' };
  const result = evaluate(files, { variables: { region: "eu", password: "secret" }, errors: true });
  assert.equal(result.value.locals[0].zone, "eu-a");
  assert.ok(!JSON.stringify(result).includes("secret"));
  assert.deepEqual(result.sensitive.length, 1);
  assert.equal(evaluate(project, { variables: { region: "eu", password: "x" }, expression: "upper(local.zone)" }).value, "EU-A");
});

test("errors in values are thrown, or reported beside what is known", () => {
  assert.throws(() => evaluate("a = nope\n"), (error) => error instanceof HclError && error.diagnostics[0].code === "unknown-variable");
  const { value, unknown, diagnostics } = evaluate("a = nope\nb = 1\n", { errors: true });
  assert.deepEqual([value, unknown, diagnostics.length], [{ a: null, b: 1 }, ["a"], 1]);
});

test("functions of JavaScript", () => {
  const functions = { double: (x) => x * 2, fail: () => { throw new Error("out of order"); }, list: (...all) => all };
  assert.equal(evaluateExpression("double(21)", { functions }).value, 42);
  assert.deepEqual(evaluateExpression('list(1, "a", null, { b = [true] })', { functions }).value, [1, "a", null, { b: [true] }]);
  assert.throws(() => evaluateExpression("fail()", { functions }), { message: /out of order/ });
  // Functions may evaluate themselves.
  const nested = { inner: (x) => evaluateExpression("y + 1", { variables: { y: x } }).value };
  assert.equal(evaluateExpression("inner(1) + inner(2)", { functions: nested }).value, 5);
});

test("numbers that JavaScript has not are exact by option", () => {
  const text = "a = 9007199254740993\nb = 0.12345678901234567891\nc = 1.5\nd = \"\\u0000n5\"\n";
  assert.equal(evaluate(text).value.a, 9007199254740992);
  assert.deepEqual(evaluate(text, { numbers: "bigint" }).value, { a: 9007199254740993n, b: "0.12345678901234567891", c: 1.5, d: "\0n5" });
  assert.deepEqual(evaluate(text, { numbers: "string" }).value.a, "9007199254740993");
  assert.equal(evaluateExpression("a + 1", { variables: { a: 2n ** 70n }, numbers: "bigint" }).value, 2n ** 70n + 1n);
});

test("query finds by address and condition", () => {
  const { matches, undecided } = query(project, "variable[*]", { where: "!has(sensitive)", select: "{ name = node.name, type = text(self.type) }" });
  assert.deepEqual(matches.map(({ file, address, result }) => ({ file, address, result })), [
    { file: "variables.tf", address: "variable.region", result: { name: "region", type: "string" } },
  ]);
  assert.deepEqual(undecided, []);
  assert.throws(() => query(project, "a..b"), HclError);
});

test("schemas: names, documentation, JSON Schema, types", () => {
  assert.ok(schema.names().includes("terraform"));
  assert.match(schema.docs("bake"), /^# /);
  assert.match(schema.jsonSchema("bake").$schema, /json-schema/);
  assert.match(schema.types("bake"), /interface/);
});

test("conversion knows the blocks of a language by the name of the file", () => {
  assert.equal(fromJson({ resource: { a: { b: { c: 1 } } } }, { name: "main.tf.json" }).text, 'resource "a" "b" {\n  c = 1\n}\n');
});

test("compare finds changes by structure", () => {
  const changes = compare('port = 80\nservice "web" {\n  a = 1\n}\n', 'service "web" {\n  a = 1 # same\n  b = 2\n}\nport = 8080\n');
  assert.deepEqual(changes.map(({ kind, address, after }) => [kind, address, after.text]), [
    ["added", "service.web.b", "b = 2"],
    ["changed", "port", "8080"],
  ]);
});
