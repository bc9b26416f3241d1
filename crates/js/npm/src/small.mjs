// The functions of both builds.
import { call, init } from "#loader";
import { Document } from "./document.mjs";
import { HclError } from "./errors.mjs";
import { applyFix, positionAt } from "./positions.mjs";
import { encode } from "./values.mjs";

export { Document, HclError, applyFix, init, positionAt };

export const version = () => call((engine) => engine.version());

export function parse(text, { name = "input.hcl", ...options } = {}) {
  return JSON.parse(call((engine) => engine.parse(name, text, encode(options))));
}

export function parseExpression(text, options = {}) {
  return JSON.parse(call((engine) => engine.parse_expression(text, encode(options))));
}

export function parseTemplate(text, options = {}) {
  return JSON.parse(call((engine) => engine.parse_template(text, encode(options))));
}

export function tokens(text) {
  return JSON.parse(call((engine) => engine.tokens(text)));
}

export function format(text, options = {}) {
  return call((engine) => engine.format(text, encode(options)));
}

export function toJson(text, { name = "input.hcl", ...options } = {}) {
  return JSON.parse(call((engine) => engine.to_json(name, text, encode(options))));
}

export function fromJson(json, { name = "input.json", ...options } = {}) {
  const text = typeof json === "string" ? json : encode(json);
  return JSON.parse(call((engine) => engine.from_json(name, text, encode(options))));
}

export function toHcl(value) {
  return call((engine) => engine.to_hcl(encode(value)));
}
