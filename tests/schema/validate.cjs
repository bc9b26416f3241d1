// Validates documents by JSON Schemas with the package `ajv`.
//
// Reads lines such as {"schema": "FILE", "document": …} from standard input, and writes a line for each: true or false.

const fs = require("fs");
const Ajv = require("ajv/dist/2020");

const validators = new Map();
const lines = fs.readFileSync(0, "utf-8").split("\n").filter((line) => line !== "");
for (const line of lines) {
  const { schema, document } = JSON.parse(line);
  if (!validators.has(schema)) {
    const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true });
    validators.set(schema, ajv.compile(JSON.parse(fs.readFileSync(schema, "utf-8"))));
  }
  console.log(validators.get(schema)(document) ? "true" : "false");
}
