// Answers the conformance protocol with hcl2-parser: whether a file in native syntax is valid. It says of a
// mistake neither what nor where it is, and evaluates nothing, so there are no places, trees or values.
"use strict";

const readline = require("node:readline");
const { parseToObject } = require("hcl2-parser");
const { version } = require("hcl2-parser/package.json");

const OPERATIONS = ["about", "config"];

function config(source) {
  try {
    const [, error] = parseToObject(source);
    return error ? { ok: false, diags: [{ severity: "error", summary: "invalid" }] } : { ok: true, diags: [] };
  } catch (error) {
    return { crash: String(error) };
  }
}

function answer(request) {
  switch (request.op) {
    case "about":
      return { name: "hcl2-parser", version, operations: OPERATIONS, dialects: ["engine"] };
    case "config":
      return "src" in request ? config(request.src) : { unsupported: "src_base64" };
    default:
      return { unsupported: request.op };
  }
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  if (!line.trim()) return;
  let request = {};
  let reply;
  try {
    request = JSON.parse(line);
    reply = answer(request);
  } catch (error) {
    reply = { bad_request: String(error) };
  }
  if ("id" in request) reply.id = request.id;
  process.stdout.write(JSON.stringify(reply) + "\n");
});
