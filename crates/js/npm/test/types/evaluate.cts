// A program that evaluates files, as CommonJS.
import hcl = require("hcl-lr");

interface Config {
  port: number;
  service: Record<string, { url: string }[]>;
}

const { value, unknown } = hcl.evaluate<Config>("port = base + 1\n", {
  variables: { base: 8000 },
  functions: { double: (x: number) => x * 2 },
  functionSet: "terraform",
  numbers: "bigint",
  limits: { milliseconds: 100 },
});
console.log(value.port + 1, value.service["web"]?.[0]?.url, unknown);
const { matches } = hcl.query({ "a.tf": "" }, "resource[*]", { where: "!has(tags)", select: "self.tags" });
console.log(matches.map((match) => match.result), hcl.schema.jsonSchema("terraform")["type"], hcl.schema.types("bake", { language: "go" }));
const server = new hcl.LanguageServer();
for (const message of [...server.receive({ id: 1, method: "initialize", params: {} }), ...server.idle()]) console.log(message.result);

// @ts-expect-error: there is no such set of functions
hcl.evaluate("", { functionSet: "cobol" });
