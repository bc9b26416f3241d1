// Answers the conformance protocol with hcl2-json-parser: whether a file in native syntax is valid, and where not.
// It gives expressions as text and evaluates nothing, so there are no trees or values.
"use strict";

const { parseToObject } = require("hcl2-json-parser");
const { version } = require("hcl2-json-parser/package.json");
const { serve, failed } = require("../serve.js");

async function config(source) {
  try {
    await parseToObject(source);
    return { ok: true, diags: [] };
  } catch (error) {
    return failed(source, error);
  }
}

serve({ name: "hcl2-json-parser", version, reads: "files" }, { config });
