// Strings are in Unicode's Normalization Form C. The small engine for Node.js has tables; the others, which are loaded over a network, ask JavaScript.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as full from "../dist/index.mjs";
import * as tables from "../dist/small.mjs";
import * as small from "../dist/small.web.mjs";

await small.init(readFileSync(new URL("../dist/small.wasm", import.meta.url)));
const byJavaScript = { small, full };

const escaped = (text) => text.replace(/[\0-\x1f"\\$%\x7f-\x9f\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Returns the texts as the engine reads them. */
function read(hcl, texts) {
  const { body, diagnostics } = hcl.parse(`a = [${texts.map((text) => `"${escaped(text)}"`).join(", ")}]\n`);
  assert.deepEqual(diagnostics, []);
  return body.items[0].value.elements.map(({ value }) => value);
}

function compare(texts) {
  const expected = read(tables, texts);
  assert.deepEqual(expected, texts.map((text) => text.normalize("NFC")));
  assert.deepEqual(read(tables, expected), expected);
  for (const [name, hcl] of Object.entries(byJavaScript)) assert.deepEqual(read(hcl, texts), expected, name);
}

test("every character, between others and in parts", () => {
  // Characters that this JavaScript engine does not know are not normalized by it, and there are no surrogates in HCL.
  const isKnown = /^[^\p{Unassigned}\p{Surrogate}]$/u;
  let count = 0;
  for (let start = 0; start < 0x110000; start += 0x1000) {
    const characters = Array.from({ length: 0x1000 }, (_, index) => String.fromCodePoint(start + index)).filter((c) => isKnown.test(c) && c !== "$" && c !== "%");
    count += characters.length;
    compare(characters.flatMap((c) => [c, c.normalize("NFD"), `e\u0301${c}\u0323\u0345`]));
  }
  assert.ok(count > 280_000, `${count} characters`);
});

test("rows of marks", () => {
  // Bases, marks of equal and of different classes, parts of Hangul, characters that are never composed, and marks that compose with nothing.
  const parts = [..."aqёe한각כかक", ..."\u0301\u0308\u0323\u0327\u0345\u0338\u0344\u0f73\u0958\u212b\ufb1d\u1100\u1161\u11a8\u09c7\u09be\u094d\u093c\u3099\u05bc\u{1d165}\u{1d157}"];
  let state = 1;
  const next = (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 16) % below;
  };
  for (let round = 0; round < 20; round += 1) {
    compare(Array.from({ length: 1_000 }, () => Array.from({ length: 1 + next(8) }, () => parts[next(parts.length)]).join("")));
  }
});

test("JavaScript is asked only for texts that may change", () => {
  const { normalize } = String.prototype;
  let calls = 0;
  String.prototype.normalize = function (form) {
    calls += 1;
    return normalize.call(this, form);
  };
  try {
    for (const hcl of Object.values(byJavaScript)) {
      hcl.toJson('größe = "plain é 漢字 한국 𝄞 नमस्ते"\nb "ё" {\n  c = "${größe}x"\n}\n');
      assert.equal(calls, 0);
    }
    for (const hcl of Object.values(byJavaScript)) {
      calls = 0;
      assert.deepEqual(JSON.parse(hcl.toJson('a = "e\u0301"\n').text), { a: "é" });
      assert.ok(calls > 0);
    }
  } finally {
    String.prototype.normalize = normalize;
  }
});

test("the end of a known beginning stays open if it may combine with what follows", () => {
  const files = { "main.tf": 'variable "x" {\n  type = string\n}\n' };
  const isOpen = (c) => full.evaluate(files, { schema: "terraform", expression: `"a\\n\\U${c.codePointAt(0).toString(16).padStart(8, "0")}\${var.x}" == "a b"` }).unknown.length === 1;
  const combining = [..."béё가न\u1025か=<\u0301\u0345\u1100\u0958"];
  const others = [..."q漢アש-§ह\uf900\u0903"];
  assert.deepEqual([...combining, ...others].filter(isOpen), others);
});
