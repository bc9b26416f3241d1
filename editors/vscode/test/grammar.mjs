// Compares the TextMate grammar with the tokens of the program `hcl`: comments, strings, and what is neither.
//
//   node test/grammar.mjs HCL FILE…
//
// Prints the places that differ, and fails if there are any.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const [program, ...files] = process.argv.slice(2);
const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () =>
    textmate.parseRawGrammar(readFileSync(new URL("../syntaxes/hcl.tmLanguage.json", import.meta.url), "utf8"), "hcl.json"),
});
const grammar = await registry.loadGrammar("source.hcl");

// The kind of each character, by the scopes of the grammar.
function kinds(lines) {
  let state = textmate.INITIAL;
  return lines.map((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    const found = new Array(line.length).fill("code");
    for (const { startIndex, endIndex, scopes } of tokens) {
      // What is innermost counts: an interpolation in a string is code.
      const scope = [...scopes].reverse().find((one) => /^(comment|string|meta\.(interpolation|directive))/.test(one));
      const kind = scope?.startsWith("comment") ? "comment" : scope?.startsWith("string") ? "string" : "code";
      found.fill(kind, startIndex, Math.min(endIndex, line.length));
    }
    return found;
  });
}

let [checked, wrong] = [0, 0];
for (const file of files) {
  const text = readFileSync(file, "utf8");
  let out;
  try {
    out = execFileSync(program, ["tokens", file], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    continue; // A file with errors has no certain tokens.
  }
  const lines = text.split(/\r?\n/);
  const all = kinds(lines);
  for (const row of out.split("\n")) {
    const found = /^\s*(\w+)\s+(\d+):(\d+)\s/.exec(row);
    if (!found) continue;
    const [, kind, line, column] = found;
    const written = lines[line - 1] ?? "";
    // Columns are characters as people count them; only lines of ASCII are compared.
    if (!/^[\x00-\x7f]*$/.test(written)) continue;
    const at = all[line - 1]?.[column - 1];
    const first = written[column - 1];
    let expected = "code";
    if (kind === "TemplateLiteral" || kind === "String") expected = "string";
    if (kind === "Literal" && first === '"') expected = "string";
    if (["Newline", "EndOfFile", "Template", "CloseTemplate"].includes(kind) || at === undefined) continue;
    if (kind === "Comment") expected = "comment";
    checked += 1;
    if (at !== expected) {
      wrong += 1;
      if (wrong <= 40) console.log(`${file}:${line}:${column}: ${kind} is ${at}: ${written.trim().slice(0, 80)}`);
    }
  }
}
console.log(`${files.length} files, ${checked} tokens compared, ${wrong} differ`);
process.exit(wrong > 0 ? 1 : 0);
