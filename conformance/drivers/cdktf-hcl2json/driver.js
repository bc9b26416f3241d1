// Answers the conformance protocol with @cdktf/hcl2json: whether a file in native syntax is valid, and where
// not. It gives expressions as text and evaluates nothing, so there are no trees or values.
"use strict";

const readline = require("node:readline");
const { parse } = require("@cdktf/hcl2json");
const { version } = require("@cdktf/hcl2json/package.json");

const OPERATIONS = ["about", "config"];
const FILE = "input.tf";

/** The byte offset of a line and a column, which count from 1. */
function place(source, line, column) {
  const lines = source.split("\n");
  const before = lines.slice(0, line - 1).reduce((bytes, text) => bytes + Buffer.byteLength(text) + 1, 0);
  const text = [...new Intl.Segmenter().segment(lines[line - 1] ?? "")].slice(0, column - 1);
  return [line, column, before + Buffer.byteLength(text.map((part) => part.segment).join(""))];
}

async function config(source) {
  try {
    await parse(FILE, source);
    return { ok: true, diags: [] };
  } catch (error) {
    const summary = String(error.message ?? error);
    const diagnostic = { severity: "error", summary };
    const found = summary.match(/input\.tf:(\d+),(\d+)-(?:(\d+),)?(\d+): /);
    if (found) {
      const [line, column, endLine, endColumn] = found.slice(1).map(Number);
      diagnostic.range = [place(source, line, column), place(source, endLine || line, endColumn)];
    }
    return { ok: false, diags: [diagnostic] };
  }
}

async function answer(request) {
  switch (request.op) {
    case "about":
      return { name: "@cdktf/hcl2json", version, operations: OPERATIONS, dialects: ["engine"] };
    case "config":
      return "src" in request ? config(request.src) : { unsupported: "src_base64" };
    default:
      return { unsupported: request.op };
  }
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    if (!line.trim()) continue;
    let request = {};
    let reply;
    try {
      request = JSON.parse(line);
      reply = await answer(request);
    } catch (error) {
      reply = { bad_request: String(error) };
    }
    if ("id" in request) reply.id = request.id;
    process.stdout.write(JSON.stringify(reply) + "\n");
  }
}

main();
