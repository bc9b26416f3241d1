// Compiles the patterns of the language configuration as VS Code does, and checks which words they find.
//
//   node test/words.mjs
//
// VS Code compiles a string without flags, and an object with its `flags`. In a pattern without the flag `u`, `\\p{L}` means
// the letters `p{L}`, so no name is a word and nothing is offered while a name is typed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const configuration = JSON.parse(readFileSync(new URL("../language-configuration.json", import.meta.url), "utf8"));

function compiled(pattern, flags = "") {
  const { pattern: text, flags: own } = typeof pattern === "string" ? { pattern } : pattern;
  return new RegExp(text, (own ?? "") + flags);
}

// The word at the end of a line, by which the editor decides whether to ask for completions.
function wordAtEnd(line) {
  return [...line.matchAll(compiled(configuration.wordPattern, "g"))].find((word) => word.index + word[0].length === line.length)?.[0];
}

for (const [line, expected] of [
  ["  c", "c"],
  ["  cou", "cou"],
  ["  instance_t", "instance_t"],
  ["  a-b", "a-b"],
  ["a = var.re", "re"],
  ["größ", "größ"],
  ["名", "名"],
  ["x1", "x1"],
  ["a = 1", undefined],
  ["a = ", undefined],
]) {
  assert.equal(wordAtEnd(line), expected, JSON.stringify(line));
}
const rules = Object.values(configuration.indentationRules);
const enter = configuration.onEnterRules.flatMap((rule) => [rule.beforeText, rule.afterText]);
[...rules, ...enter].filter(Boolean).forEach((pattern) => compiled(pattern));
assert.ok(compiled(configuration.indentationRules.increaseIndentPattern).test("resource \"a\" \"b\" {"));
console.log("words and indentation are as expected");
