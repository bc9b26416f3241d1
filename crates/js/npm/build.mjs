// Builds the npm package in `dist`: the engine as WebAssembly, the modules for Node.js, browsers and workers, and their types.
// The small engine is there twice: small for browsers, and fast for Node.js, where nobody waits for a download. The fast one has its own
// tables for the normal form of strings; the others leave that to JavaScript.
//
// The engines are 7 % smaller if the standard library is compiled with them, without its messages of panics, which nobody sees:
// `rustup component add rust-src`. This needs switches that stable compilers know but do not promise, so it is left out if it fails.
//
// It needs the target wasm32-unknown-unknown of Rust, the program wasm-bindgen of the version in Cargo.lock (its path may be in
// the variable WASM_BINDGEN), and the packages that package.json names.
//
//   node build.mjs            build everything
//   node build.mjs --modules  build the modules only, for an engine that was built before
//   node build.mjs --playground  build the engine of ../playground
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { engineOf, generated } from "./engine.mjs";
import { smaller } from "./smaller.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../..");
const dist = join(here, "dist");
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");

/** The largest sizes of the engine after gzip, in bytes: what it had at the last look and a little more. To be lowered when it shrinks. */
const BUDGET = { small: 391_000, full: 1_875_000 };

/** True until the standard library could not be compiled. */
let isSmallest = true;

function run(program, args, options = {}) {
  const { status, error } = spawnSync(program, args, { stdio: "inherit", cwd: root, ...options });
  if (error) throw new Error(`${program} cannot be run: ${error.message}`);
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed`);
}

/** Checks that the program wasm-bindgen has the version of the package, because their formats differ by version. */
function bindgen() {
  const program = process.env.WASM_BINDGEN ?? "wasm-bindgen";
  const wanted = /name = "wasm-bindgen"\nversion = "([^"]+)"/.exec(readFileSync(join(root, "Cargo.lock"), "utf8"))[1];
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  if (stdout?.trim() !== `wasm-bindgen ${wanted}`) {
    throw new Error(`wasm-bindgen ${wanted} is needed: cargo install wasm-bindgen-cli --version ${wanted}`);
  }
  return program;
}

const FLAGS = "-Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none";
/** The standard library for size, and as it comes with the compiler: evaluation needs fast memory and texts. */
const STANDARD = {
  small: ["-Zbuild-std-features=optimize_for_size"],
  fast: ["alloc", "compiler_builtins", "core", "dlmalloc", "std"].flatMap((name) => ["--config", `profile.wasm.package.${name}.opt-level=3`]),
};

/**
 * Builds an engine. Without the optimization of the whole program, which `lto` is, it has more copies of the same code, and less code
 * after compression if it is large. One that is not loaded over a network is built for speed.
 */
function buildEngine(name, features, { output = join(dist, `${name}.wasm`), lto = "fat", isLoaded = true, standard = STANDARD.small } = {}) {
  const args = ["build", "--profile", "wasm", "--package", "hcl-lr-js", "--target", "wasm32-unknown-unknown", ...features];
  const env = { ...process.env, CARGO_PROFILE_WASM_OPT_LEVEL: isLoaded ? "z" : "3", CARGO_PROFILE_WASM_LTO: lto };
  if (!isLoaded || !buildWithStandardLibrary([...args, "-Zbuild-std=std,panic_abort", ...standard], env)) run("cargo", args, { env });
  const folder = join(generated, name);
  const built = join(target, "wasm32-unknown-unknown/wasm/hcl_lr_js.wasm");
  const options = ["--target", "web", "--no-typescript", "--remove-name-section", "--remove-producers-section"];
  run(bindgen(), [built, ...options, "--out-dir", folder, "--out-name", "glue"]);
  const bytes = readFileSync(join(folder, "glue_bg.wasm"));
  writeFileSync(output, isLoaded ? smaller(bytes) : bytes);
}

/** Returns false if this compiler cannot do it. */
function buildWithStandardLibrary(args, env) {
  const RUSTFLAGS = `${env.RUSTFLAGS ?? ""} ${FLAGS}`;
  const options = { stdio: "inherit", cwd: root, env: { ...env, RUSTFLAGS, RUSTC_BOOTSTRAP: "1" } };
  isSmallest &&= spawnSync("cargo", args, options).status === 0;
  return isSmallest;
}

async function buildModules() {
  const entries = { index: "full", small: "small", hcl2json: "small", "hcl2-parser": "small" };
  for (const [entry, engine] of Object.entries(entries)) {
    const local = engine === "small" ? "fast" : engine;
    await bundle(entry, local, { platform: "node", format: "esm", extension: ".mjs" });
    await bundle(entry, local, { platform: "node", format: "cjs", extension: ".cjs" });
    await bundle(entry, engine, { platform: "browser", format: "esm", extension: ".web.mjs" });
  }
  await bundle("worker", "full", { platform: "browser", format: "esm", extension: ".mjs" });
  for (const file of readdirSync(join(here, "types"))) {
    copyFileSync(join(here, "types", file), join(dist, file));
    const text = readFileSync(join(here, "types", file), "utf8");
    writeFileSync(join(dist, file.replace(/\.d\.ts$/, ".d.mts")), text.replaceAll('.js"', '.mjs"'));
  }
}

function bundle(entry, engine, { platform, format, extension }) {
  const isCommonJs = format === "cjs";
  return build({
    entryPoints: [join(here, "src", `${entry}.mjs`)],
    outfile: join(dist, `${entry}${extension}`),
    bundle: true,
    platform,
    format,
    target: ["es2022", "node18"],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    external: ["node:*"],
    plugins: [engineOf(engine, platform === "node" ? "node" : "web")],
    define: { WASM_FILE: JSON.stringify(`./${engine}.wasm`), ...(isCommonJs ? { "import.meta.url": "moduleUrl" } : {}) },
    banner: isCommonJs ? { js: 'const moduleUrl=require("node:url").pathToFileURL(__filename).href;' } : {},
    logLevel: "warning",
  });
}

/** Prints the sizes, and checks them. */
function sizes() {
  let isFine = true;
  for (const [name, most] of Object.entries(BUDGET)) {
    const bytes = readFileSync(join(dist, `${name}.wasm`));
    const packed = gzipSync(bytes, { level: 9 }).length;
    isFine &&= packed <= most;
    console.log(`${name}.wasm: ${bytes.length} bytes, ${packed} after gzip (at most ${most})`);
  }
  if (!isSmallest) console.log("The budget is not checked: the standard library could not be compiled (rustup component add rust-src).");
  else if (!isFine) throw new Error("the engine is larger than its budget");
}

if (process.argv.includes("--playground")) {
  buildEngine("playground", ["--features", "derivation,js-normalize"], { output: join(generated, "playground/engine.wasm"), lto: "off", standard: STANDARD.fast });
} else {
  const onlyModules = process.argv.includes("--modules");
  if (!onlyModules) rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  if (!onlyModules) {
    buildEngine("small", ["--no-default-features", "--features", "js-normalize"]);
    buildEngine("fast", ["--no-default-features"], { isLoaded: false });
    buildEngine("full", ["--features", "js-normalize"], { lto: "off", standard: STANDARD.fast });
  }
  await buildModules();
  sizes();
}
