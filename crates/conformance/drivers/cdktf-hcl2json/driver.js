// Answers the conformance protocol with @cdktf/hcl2json: whether a file in native syntax is valid, and where
// not. It gives expressions as text and evaluates nothing, so there are no trees or values.
"use strict";

const { parse } = require("@cdktf/hcl2json");
const { version } = require("@cdktf/hcl2json/package.json");
const { serve, failed } = require("../serve.js");

async function config(source) {
  try {
    await parse("input.tf", source);
    return { ok: true, diags: [] };
  } catch (error) {
    return failed(source, error);
  }
}

serve({ name: "@cdktf/hcl2json", version, reads: "files" }, { config });
