// The part of a driver that all of them share: reads requests, and writes the answers.
"use strict";

const readline = require("node:readline");

/** Answers until the input ends. `operations` has a function from a source to an answer for each operation. */
async function serve(about, operations) {
  about = { protocol: 1, operations: ["about", ...Object.keys(operations)], dialects: ["engine"], ...about };
  for await (const line of readline.createInterface({ input: process.stdin })) {
    if (!line.trim()) continue;
    let request = {};
    let reply;
    try {
      request = JSON.parse(line);
      if (request.op === "about") reply = { ...about };
      else if (!Object.hasOwn(operations, request.op)) reply = { unsupported: String(request.op) };
      else if (!("src" in request)) reply = { unsupported: "src_base64" };
      else reply = await operations[request.op](request.src);
    } catch (error) {
      reply = { bad_request: String(error) };
    }
    if ("id" in request) reply.id = request.id;
    process.stdout.write(JSON.stringify(reply) + "\n");
  }
}

/** The byte offset of a line and a column, which count from 1. */
function place(source, line, column) {
  const lines = source.split("\n");
  const before = lines.slice(0, line - 1).reduce((bytes, text) => bytes + Buffer.byteLength(text) + 1, 0);
  const text = [...new Intl.Segmenter().segment(lines[line - 1] ?? "")].slice(0, column - 1);
  return [line, column, before + Buffer.byteLength(text.map((part) => part.segment).join(""))];
}

/** The answer for an error of the official engine, which has the file and the place before its words. */
function failed(source, error) {
  const summary = String(error.message ?? error);
  const diagnostic = { severity: "error", summary };
  const found = summary.match(/^.*?:(\d+),(\d+)-(?:(\d+),)?(\d+): /m);
  if (found) {
    const [line, column, endLine, endColumn] = found.slice(1).map(Number);
    diagnostic.range = [place(source, line, column), place(source, endLine || line, endColumn)];
  }
  return { ok: false, diags: [diagnostic] };
}

module.exports = { serve, failed };
