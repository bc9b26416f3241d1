// Input that is meant to do harm, and many files: no hang, no crash that lasts, no growing memory.
import assert from "node:assert/strict";
import { test } from "node:test";
import { check, evaluate, evaluateExpression, format, HclError, parse, toJson } from "../dist/index.mjs";
import * as small from "../dist/small.mjs";

const works = () => assert.equal(evaluateExpression("1 + 1").value, 2);

test("deep nesting is an error, whatever is nested", () => {
  for (const [open, close] of [["[", "]"], ["{ a = ", "}"], ["(", ")"], ["f(", ")"], ["-", ""], ["!", ""], ['"${', '}"'], ["a ? b : ", ""]]) {
    const text = `a = ${open.repeat(20_000)}1${close.repeat(20_000)}\n`;
    for (const run of [() => parse(text), () => check(text), () => format(text), () => evaluate(text), () => toJson(text)]) {
      try {
        run();
      } catch (error) {
        assert.ok(error instanceof HclError, `${open}: ${error.stack}`);
      }
    }
    works();
  }
});

test("blocks in blocks", () => {
  const text = "b {\n".repeat(5_000) + "}\n".repeat(5_000);
  assert.ok(parse(text).diagnostics.length > 0);
  works();
});

test("expensive evaluations end by limits", () => {
  const wide = "[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a + b + c]]]";
  assert.throws(() => evaluateExpression(wide), (error) => error.diagnostics[0].code === "limit-exceeded");
  assert.throws(() => evaluateExpression(wide, { limits: { steps: 1_000 } }), (error) => error.diagnostics[0].code === "limit-exceeded");
  const slow = { limits: { steps: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER, milliseconds: 50 } };
  assert.throws(() => evaluateExpression(wide, slow), (error) => error.diagnostics[0].code === "limit-exceeded");
  works();
});

test("names of prototypes are names", () => {
  const { value } = evaluate('__proto__ = 1\nconstructor = 2\nhasOwnProperty = 3\n');
  assert.deepEqual(Object.keys(value).sort(), ["__proto__", "constructor", "hasOwnProperty"]);
  assert.equal({}.polluted, undefined);
});

test("broken characters", () => {
  assert.ok(parse('a = "\ud800"\n').body);
  assert.ok(parse("\0\u202e\ufeff = 1\n").diagnostics.length > 0);
});

test("memory does not grow over 10,000 files", () => {
  const text = `${'resource "a" "b" {\n  c = "${d.e}-${f(1, [2, 3])}"\n}\n'.repeat(20)}`;
  const round = (count) => {
    for (let index = 0; index < count; index += 1) small.toJson(text, { name: `${index}.tf` });
    return process.memoryUsage();
  };
  const before = round(1_000);
  const after = round(10_000);
  // Memory of WebAssembly counts as an array buffer.
  assert.ok(after.arrayBuffers + after.external <= before.arrayBuffers + before.external + 4_000_000, `${JSON.stringify(before)} ${JSON.stringify(after)}`);
});
