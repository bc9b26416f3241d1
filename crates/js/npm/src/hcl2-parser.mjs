// The functions of the package hcl2-parser, with the same results: a pair of the result and the error.
import { call, init } from "#loader";
import { HclError } from "./errors.mjs";

export { HclError, init };

const NAME = "input.hcl";

/** Converts a text to the JSON text that hcl2json makes of it, on one line. */
export function parseToString(input) {
  try {
    const json = call((engine) => engine.hcl2json(NAME, input));
    return [json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1"), null];
  } catch (error) {
    return ["", error];
  }
}

/** Converts a text to the object that hcl2json makes of it. */
export function parseToObject(input) {
  try {
    return [JSON.parse(call((engine) => engine.hcl2json(NAME, input))), null];
  } catch (error) {
    return [null, error];
  }
}
