// A program that changes files with the small build.
import { Document, format, fromJson, init, toHcl, toJson, type Match } from "hcl-lr/small";
import { convertFiles, parse } from "hcl-lr/hcl2json";
import { parseToObject, parseToString } from "hcl-lr/hcl2-parser";

await init();
const file = new Document("a = 1\n", { name: "main.tf" });
const all: Match[] = file.set("a", { b: [1n, "x"] }).setExpression("c", "var.c").append(".", "d {}", { before: "a" }).find("**");
const text: string = format(file.move("c", { before: "a" }).comment("a", null).text, { sortBlocks: true });
console.log(all[0]?.address, text, toHcl([1]), toJson(text, { blocks: "array" }).text, fromJson({ a: 1 }).maybeBlocks);
const object: Record<string, any> = await parse("main.tf", text);
console.log(object, await convertFiles("."), parseToObject(text)[0], parseToString(text)[1]?.diagnostics);

// @ts-expect-error: a move needs a destination
file.move("a", {});
