// Answers the conformance protocol with hcl2-parser: whether a file in native syntax is valid. It says of a
// mistake neither what nor where it is, and evaluates nothing, so there are no places, trees or values.
"use strict";

const { parseToObject } = require("hcl2-parser");
const { version } = require("hcl2-parser/package.json");
const { serve } = require("../serve.js");

function config(source) {
  const [, error] = parseToObject(source);
  return error ? { ok: false, diags: [{ severity: "error", summary: "invalid" }] } : { ok: true, diags: [] };
}

serve({ name: "hcl2-parser", version, reads: "files" }, { config });
