// The package as a whole: what bundlers make of it, and what is in it.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

async function bundled(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true, write: false, format: "esm", platform: "browser", logLevel: "error", minify: true,
  });
  return outputFiles[0].text;
}

test("a bundle has only what is imported", async () => {
  const all = await bundled('import * as hcl from "hcl-lr/small"; console.log(hcl);');
  const one = await bundled('import { format, init } from "hcl-lr/small"; console.log(format, init);');
  assert.match(all, /addressAt/);
  assert.doesNotMatch(one, /addressAt/);
  assert.doesNotMatch(one, /full\.wasm/);
  assert.match(one, /small\.wasm/);
  assert.equal((await bundled('import "hcl-lr"; import "hcl-lr/small"; import "hcl-lr/hcl2-parser";')).trim(), "");
});

test("every file that package.json names is there", () => {
  const { exports, main, module, types } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const paths = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(paths));
  for (const path of [main, module, types, ...paths(exports)]) assert.ok(existsSync(join(root, path)), path);
});

test("every module has the functions that its types have", async () => {
  for (const name of ["index", "small", "hcl2json", "hcl2-parser"]) {
    const declared = readFileSync(join(root, `dist/${name}.d.ts`), "utf8");
    const names = [...declared.matchAll(/^export (?:function|class|const) (\w+)/gm)].map(([, name]) => name);
    const module = await import(`../dist/${name}.mjs`);
    assert.deepEqual(names.filter((name) => !(name in module) && !/^HclError$/.test(name)), [], name);
    assert.ok("HclError" in module, name);
    const documented = [...declared.matchAll(/(\*\/)?\n+export (?:function|class|const) (\w+)/g)];
    assert.deepEqual(documented.filter(([, comment]) => !comment).map(([, , name]) => name), [], "each has a comment");
  }
});
