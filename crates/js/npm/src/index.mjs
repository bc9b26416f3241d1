// The functions of the full build.
import { call } from "#loader";
import { decode, encode } from "./values.mjs";

export * from "./small.mjs";
export { LanguageServer } from "./language-server.mjs";

/** Files by path: a text is one file. */
const filesOf = (files, name) => encode(typeof files === "string" ? { [name]: files } : files);

export function check(files, { name = "input.hcl", ...options } = {}) {
  return JSON.parse(call((engine) => engine.check(filesOf(files, name), encode(options))));
}

export function evaluate(files, { name = "input.hcl", functions = {}, ...options } = {}) {
  const given = encode({ ...options, functions: Object.keys(functions) });
  const answer = call((engine) => engine.evaluate(filesOf(files, name), given, caller(functions, options.numbers)));
  return decode(answer, options.numbers);
}

export function evaluateExpression(expression, options = {}) {
  return evaluate({}, { ...options, expression });
}

/** Returns the function by which the engine calls functions of JavaScript. A result that begins with `!` is an error. */
function caller(functions, numbers) {
  return (name, given) => {
    try {
      return encode(functions[name](...decode(given, numbers)));
    } catch (error) {
      return `!${error instanceof Error ? error.message : error}`;
    }
  };
}

export function query(files, address, { name = "input.hcl", ...options } = {}) {
  return decode(call((engine) => engine.query(filesOf(files, name), address, encode(options))), options.numbers);
}

export function compare(before, after) {
  return JSON.parse(call((engine) => engine.difference(before, after)));
}

export const schema = {
  names: () => JSON.parse(call((engine) => engine.schema_names())),
  docs: (language) => call((engine) => engine.schema_docs(language)),
  jsonSchema: (language, options = {}) => JSON.parse(call((engine) => engine.schema_json(language, encode(options)))),
  types: (language, options = {}) => call((engine) => engine.schema_types(language, encode(options))),
};

