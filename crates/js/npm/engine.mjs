// The modules of the engine for esbuild: the package's own import `#loader`, and `#glue`, which wasm-bindgen has made.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** The folder of what wasm-bindgen makes. */
export const generated = join(here, "generated");

/** Returns the glue of an engine with a function that forgets a crashed instance. */
function glue(name) {
  const text = readFileSync(join(generated, name, "glue.js"), "utf8");
  if (!/^let .*\bwasm;$/m.test(text)) throw new Error("the glue of wasm-bindgen has another form");
  return `${text}\nexport function reset() {\n  wasm = undefined;\n}\n`;
}

/** Returns the plugin of esbuild for an engine, which a loader loads: `node` or `web`. */
export function engineOf(name, loader) {
  return {
    name: "engine",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^#loader$/ }, () => ({ path: join(here, `src/loader.${loader}.mjs`) }));
      onResolve({ filter: /^#glue$/ }, () => ({ path: name, namespace: "glue" }));
      onLoad({ filter: /.*/, namespace: "glue" }, () => ({ contents: glue(name), loader: "js" }));
    },
  };
}
