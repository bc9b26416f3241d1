// The functions of the package @cdktf/hcl2json, with the same results.
import { call, init } from "#loader";
import { HclError } from "./errors.mjs";

export { HclError };

/** Converts a text to the object that hcl2json makes of it. */
export async function parse(filename, contents) {
  await init();
  return JSON.parse(call((engine) => engine.hcl2json(filename, contents)));
}

/** Converts the files `*.tf` and `*.tf.json` of a folder, as one. */
export async function convertFiles(workingDirectory) {
  const { readFile, readdir } = await import("node:fs/promises");
  const { join } = await import("node:path");
  const names = (await readdir(workingDirectory)).sort();
  const texts = (ending) =>
    Promise.all(names.filter((name) => name.endsWith(ending)).map((name) => readFile(join(workingDirectory, name), "utf8")));
  const [native, json] = [await texts(".tf"), await texts(".tf.json")];
  const whole = await parse("hcl2json.tf", native.join("\n"));
  return json.reduce((all, text) => merged(all, JSON.parse(text)), whole);
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Objects are merged by name and lists joined; anything else is replaced. */
function merged(first, second) {
  if (Array.isArray(first) && Array.isArray(second)) return [...first, ...second];
  if (!isObject(first) || !isObject(second)) return second;
  const all = new Map(Object.entries(first));
  for (const [name, value] of Object.entries(second)) {
    all.set(name, all.has(name) ? merged(all.get(name), value) : value);
  }
  return Object.fromEntries(all);
}
