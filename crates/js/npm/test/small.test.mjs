// The functions of the small build, and of the full one, which has them all.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, test } from "node:test";
import * as full from "../dist/index.mjs";
import * as small from "../dist/small.mjs";

const require = createRequire(import.meta.url);
const builds = { small, full, "small as CommonJS": require("../dist/small.cjs"), "full as CommonJS": require("../dist/index.cjs") };

for (const [name, hcl] of Object.entries(builds)) {
  describe(name, () => {
    test("parse gives a tree with offsets in UTF-16", () => {
      const text = '# é𝄞\nservice "web" {\n  name = "𝄞${upper(a.b[0])}"\n}\n';
      const { body, comments, diagnostics } = hcl.parse(text);
      assert.deepEqual(diagnostics, []);
      assert.deepEqual(comments, [{ text: "é𝄞", range: [0, 5] }]);
      const [block] = body.items;
      assert.equal(text.slice(...block.range), 'service "web" {\n  name = "𝄞${upper(a.b[0])}"\n}');
      assert.deepEqual(block.labels.map(({ text, quoted }) => ({ text, quoted })), [{ text: "web", quoted: true }]);
      const { value } = block.body.items[0];
      assert.equal(value.kind, "template");
      assert.deepEqual(value.parts.map((part) => part.kind), ["literal", "interpolation"]);
      const call = value.parts[1].expression;
      assert.equal(text.slice(...call.range), "upper(a.b[0])");
      assert.deepEqual(call.arguments[0].steps.map((step) => step.kind), ["attribute", "index"]);
    });

    test("every kind of expression has its parts", () => {
      const kinds = {
        '1.5': "number", 'true': "bool", 'null': "null", '"a"': "string", '"${a}b"': "template", '[1]': "list", '{ a = 1 }': "object",
        'a.b': "reference", 'f().b': "access", 'a[b]': "index", 'a[*].b': "splat", 'f(1, a...)': "call", '(a)': "parentheses",
        '-a': "unary", 'a + b': "binary", 'a ? b : c': "conditional", '[for x in a : x if x]': "for", '{ for k, v in a : k => v... }': "for",
      };
      for (const [text, kind] of Object.entries(kinds)) {
        const { expression, diagnostics } = hcl.parseExpression(text);
        assert.deepEqual([text, expression.kind, diagnostics], [text, kind, []]);
        assert.deepEqual(expression.range, [0, text.length], text);
      }
      const { template } = hcl.parseTemplate("%{ if a }x%{ else }y%{ endif }%{ for k, v in b }z%{ endfor }");
      assert.deepEqual(template.parts.map((part) => part.kind), ["if", "for"]);
    });

    test("a long chain needs no deep stack", () => {
      const { expression } = hcl.parseExpression(Array(5_000).fill("a").join(" + "));
      assert.equal(expression.kind, "binary");
    });

    test("errors are diagnostics with places and fixes", () => {
      const text = "# é\na = [1 2]\n";
      const { diagnostics } = hcl.parse(text, { name: "a.hcl" });
      assert.equal(diagnostics.length, 1);
      const [{ code, severity, file, range, fixes }] = diagnostics;
      assert.deepEqual({ code, severity, file }, { code: "missing-comma", severity: "error", file: "a.hcl" });
      assert.equal(range.start.line, 2);
      assert.equal(text.slice(0, range.start.offset).length, range.start.offset);
      assert.deepEqual(hcl.positionAt(text, range.start.offset), range.start);
      assert.equal(hcl.parse(hcl.applyFix(text, fixes[0])).diagnostics.length, 0);
    });

    test("wrong input throws an HclError with diagnostics and a report", () => {
      assert.throws(() => hcl.toJson("a = [1 2]\n", { name: "a.hcl" }), (error) => {
        assert.ok(error instanceof hcl.HclError && error instanceof Error);
        assert.match(error.message, /^a\.hcl:1:\d+: /);
        assert.equal(error.diagnostics[0].code, "missing-comma");
        assert.match(error.report, /error\[missing-comma\]/);
        return true;
      });
      assert.throws(() => hcl.format("", { tabs: true }), { name: "HclError", message: /^there is no option `tabs`; the options are / });
      assert.throws(() => hcl.parse("", { dialect: "old" }), { message: "the option `dialect` is one of engine, strict, not `old`" });
    });

    test("the strict dialect names the liberties", () => {
      const text = "a = [1, 2,\n]\nb = c.0\n";
      assert.deepEqual(hcl.parse(text).diagnostics, []);
      assert.ok(hcl.parse("a = ~1\n", { dialect: "strict" }).diagnostics.length > 0);
    });

    test("format", () => {
      assert.equal(hcl.format("a=1\nbb   = [1,2]\n"), "a  = 1\nbb = [1, 2]\n");
      assert.equal(hcl.format("b = 1\na = 2\n", { sortAttributes: true }), "a = 2\nb = 1\n");
    });

    test("tokens cover the text but for space", () => {
      const text = 'a = "x${b}" # c\n';
      const all = hcl.tokens(text);
      assert.deepEqual(all.map((token) => token.text), all.map((token) => text.slice(...token.range)));
      assert.deepEqual(all.slice(0, 1).map((token) => token.kind), ["Identifier"]);
    });

    test("to JSON and back", () => {
      const text = 'service "web" {\n  port = 80\n}\n';
      const { text: json } = hcl.toJson(text);
      assert.deepEqual(JSON.parse(json), { service: { web: { port: 80 } } });
      assert.deepEqual(hcl.fromJson({ a: "${b}", n: 12345678901234567890n }).text, "a = b\nn = 12345678901234567890\n");
      const tagged = hcl.toJson(text, { blocks: "tagged" }).text;
      assert.equal(hcl.fromJson(tagged, { blocks: "tagged" }).text, text);
      assert.deepEqual(hcl.fromJson({ service: { web: { port: 80 } } }).maybeBlocks, ["service"]);
    });

    test("toHcl writes values", () => {
      assert.equal(hcl.toHcl({ a: [1, 'x"${y}'], "b c": null, n: 2n ** 64n }).replace(/\s+/g, " "), '{ a = [1, "x\\"$${y}"] "b c" = null n = 18446744073709551616 }');
      assert.equal(hcl.toHcl(new Map([["a", new Set([1])]])).replace(/\s+/g, " "), "{ a = [1] }");
      const loop = {};
      loop.self = loop;
      for (const wrong of [NaN, Infinity, () => 1, Symbol("a"), loop]) assert.throws(() => hcl.toHcl(wrong), TypeError);
    });

    test("a document keeps what is not edited", () => {
      const file = new hcl.Document('service "web" {\n  port = 80 # public\n\n  zones = ["a", "b"]\n}\n');
      assert.equal(file.get("service.web.port"), 80);
      assert.deepEqual(file.get("service.web.zones"), ["a", "b"]);
      assert.equal(file.get("service.web.host"), undefined);
      file.set("service.web.port", 8080).setExpression("service.web.host", "var.host").append("service.web.zones", '"c"');
      file.rename("service.web", "app").comment("service.app", "Customers see it.").append(".", "b {}", { start: true });
      assert.equal(
        file.text,
        'b {}\n\n# Customers see it.\nservice "app" {\n  port = 8080 # public\n\n  zones = ["a", "b", "c"]\n  host  = var.host\n}\n',
      );
      file.move("b", { after: "service.app" }).remove("service.app.zones[0]").comment("service.app.port", null, { trailing: true });
      assert.match(file.text, /zones = \["b", "c"\]/);
      assert.match(file.text, /}\n\nb {}\n$/);
      assert.doesNotMatch(file.text, /public/);
      assert.equal(file.addressAt(file.text.indexOf("8080")), "service.app.port");
    });

    test("offsets anywhere in a text, also at its end and beyond", () => {
      const file = new hcl.Document(`a = "${"𝄞é".repeat(200)}"`);
      for (const offset of [0, 5, 6, 300, file.text.length, file.text.length + 1, 1e6]) {
        assert.equal(file.addressAt(offset), "a", String(offset));
      }
    });

    test("an edit that cannot be made changes nothing", () => {
      const file = new hcl.Document("a = 1\nb = 2\n");
      assert.throws(() => file.rename("a", "b"), hcl.HclError);
      assert.throws(() => file.set("x.y", 1), (error) => error.diagnostics[0].code === "nothing-found");
      assert.throws(() => file.remove("*"), { message: "`[*]` matches 2 places; the option `all` allows several" });
      assert.equal(file.text, "a = 1\nb = 2\n");
      assert.equal(file.remove("*", { all: true }).text, "");
    });
  });
}

test("the small build has no schemas, and says so", () => {
  assert.throws(() => small.fromJson("{}", { schema: "terraform" }), { message: /not part of the small build/ });
});
