// A program that uses all engines of the package. It prints `fine` in each runtime.
import { check, Document, evaluate, format, HclError, parse, toJson } from "../../dist/index.mjs";
import { format as formatSmall, toJson as toJsonSmall } from "../../dist/small.mjs";
import { parse as hcl2json } from "../../dist/hcl2json.mjs";

function same(actual, expected) {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (one !== other) throw new Error(`${one} instead of ${other}`);
}

same(format("a=1\nbcd=2\n"), "a   = 1\nbcd = 2\n");
same(formatSmall("a=1\n"), "a = 1\n");
same(evaluate("port = base + 1\n", { variables: { base: 8000 } }).value, { port: 8001 });
same(check({ "main.hcl": "a = [1 2]\n" }).map(({ code }) => code), ["missing-comma"]);
same(new Document("port = 80 # public\n").set("port", 8080).text, "port = 8080 # public\n");
same(JSON.parse(toJson('a "b" {\n  c = 1\n}\n').text), JSON.parse(toJsonSmall('a "b" {\n  c = 1\n}\n').text));
same(await hcl2json("main.tf", 'a "b" {\n  c = d\n}\n'), { a: { b: [{ c: "${d}" }] } });
same(parse("a = \n").diagnostics.length > 0, true);
try {
  toJson("a = [1 2]\n");
  throw new Error("an error is expected");
} catch (error) {
  same([error instanceof HclError, error.diagnostics[0].code], [true, "missing-comma"]);
}
console.log("fine");
