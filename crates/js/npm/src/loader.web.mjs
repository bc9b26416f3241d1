// The engine in browsers and workers: `init` loads it.
import * as glue from "#glue";
import { errorOf } from "./errors.mjs";

let compiled;
let isReady = false;
/** The number of engines so far: what belongs to an earlier one is gone. */
let generation = 0;

/** Loads the engine: by default from the file beside this module; else from a URL, a response, bytes or a module. */
export async function init(source = new URL(WASM_FILE, import.meta.url)) {
  // Calls at the same time wait for the same engine. After a failure, the next one tries again.
  compiled ??= compile(source);
  try {
    compiled = await compiled;
  } catch (error) {
    compiled = undefined;
    throw error;
  }
  start();
}

async function compile(given) {
  const source = await given;
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) throw new Error(`the engine cannot be loaded: ${response.status} ${response.url}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

function start() {
  if (isReady) return;
  glue.reset();
  glue.initSync({ module: compiled });
  isReady = true;
  generation += 1;
}

/** Runs a function of the engine. After a crash, the next call has a new engine. */
export function call(run) {
  if (!(compiled instanceof WebAssembly.Module)) throw new Error("the engine is not loaded: `await init()` first");
  start();
  try {
    return run(glue, generation);
  } catch (thrown) {
    if (thrown instanceof WebAssembly.RuntimeError || thrown instanceof RangeError) isReady = false;
    throw errorOf(thrown);
  }
}
