// Builds the playground in `dist`: static files for any web server. Its engine is built first: node ../npm/build.mjs --playground
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { engineOf, generated } from "../npm/engine.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
mkdirSync(dist, { recursive: true });
const built = join(generated, "playground/engine.wasm");
const engine = readFileSync(built);
copyFileSync(built, join(dist, "engine.wasm"));
for (const file of ["index.html", "style.css"]) copyFileSync(join(here, file), join(dist, file));

const common = { bundle: true, format: "esm", target: "es2022", minify: true, legalComments: "none", logLevel: "warning" };
await build({ ...common, entryPoints: [join(here, "src/main.mjs")], outfile: join(dist, "main.js") });
await build({
  ...common, entryPoints: [join(here, "src/engine.worker.mjs")], outfile: join(dist, "engine.worker.js"),
  plugins: [engineOf("playground", "web")], define: { WASM_FILE: JSON.stringify("./engine.wasm") },
});
// A change of any file is a new version of the page.
const hash = createHash("sha256").update(engine);
for (const file of ["main.js", "engine.worker.js", "index.html", "style.css"]) hash.update(readFileSync(join(dist, file)));
await build({
  ...common, entryPoints: [join(here, "src/offline.mjs")], outfile: join(dist, "offline.js"),
  define: { VERSION: JSON.stringify(hash.digest("hex").slice(0, 16)) },
});
