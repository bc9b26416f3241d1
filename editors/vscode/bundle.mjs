// Bundles the extension: for the desktop, and for the browser with the engine, if it is there.
//
//   node bundle.mjs
//
// The engine is what `node build.mjs` makes in crates/js/npm. Without it, the extension does not start in browsers.

import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { engineOf, generated } from "../../crates/js/npm/engine.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = (name) => join(here, "out", name);
const shared = { bundle: true, format: "cjs", logLevel: "warning", absWorkingDir: here };

mkdirSync(join(here, "out"), { recursive: true });
await build({ ...shared, entryPoints: ["src/extension.ts"], outfile: out("extension.js"), platform: "node", external: ["vscode"] });
await build({ ...shared, entryPoints: ["src/web.ts"], outfile: out("web.js"), platform: "browser", external: ["vscode"], minify: true });

const engine = join(here, "../../crates/js/npm/dist/full.wasm");
if (existsSync(engine) && existsSync(join(generated, "full/glue.js"))) {
  copyFileSync(engine, out("hcl.wasm"));
  await build({
    ...shared,
    entryPoints: ["src/worker.mjs"],
    outfile: out("worker.js"),
    platform: "browser",
    format: "iife",
    minify: true,
    plugins: [engineOf("full", "web")],
    // The engine comes with the first message.
    define: { WASM_FILE: '""', "import.meta.url": "self.location.href" },
  });
} else {
  console.log("without the server for browsers: `node build.mjs` in crates/js/npm builds the engine");
}
