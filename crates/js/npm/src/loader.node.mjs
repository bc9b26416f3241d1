// The engine in Node.js, Deno and Bun: it is read from its file on first use.
import { readFileSync } from "node:fs";
import * as glue from "#glue";
import { errorOf } from "./errors.mjs";

let isReady = false;
/** The number of engines so far: what belongs to an earlier one is gone. */
let generation = 0;

function engine() {
  if (!isReady) {
    glue.reset();
    glue.initSync({ module: readFileSync(new URL(WASM_FILE, import.meta.url)) });
    isReady = true;
    generation += 1;
  }
  return glue;
}

/** Loads the engine. Here, it is loaded on first use anyway. */
export async function init() {
  engine();
}

/** Runs a function of the engine. After a crash, the next call has a new engine. */
export function call(run) {
  try {
    return run(engine(), generation);
  } catch (thrown) {
    if (thrown instanceof WebAssembly.RuntimeError || thrown instanceof RangeError) isReady = false;
    throw errorOf(thrown);
  }
}
