// Makes an engine smaller after compression, without a change of what it does.
//
// Compression finds what repeats within the last 32 kB, but the linker puts functions into an order that has nothing to do with
// their contents: the copies that Rust makes of a generic function for several types may be megabytes apart. So functions that
// have much in common are put side by side. wasm-opt does what needs an understanding of instructions: it removes functions that
// are equal to others, and renumbers the rest in the order of names, which are given here.
//
// The optimizations of wasm-opt as a whole (`-Oz`) make the code smaller, but it is larger after compression. Those below make
// both smaller.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PASSES = [
  "duplicate-function-elimination",
  "optimize-instructions",
  "remove-unused-brs",
  "code-folding",
  "reorder-locals",
  "duplicate-function-elimination",
  "remove-unused-module-elements",
];

const IMPORT = 2;
const CODE = 10;

/** The bytes that are compared. Shorter ones are everywhere, longer ones differ by the numbers in them. */
const PART = 6;
/** Parts that are in more functions than these say nothing. */
const COMMON = 60;
/** The distance in which compression finds what repeats. */
const WINDOW = 32 * 1024;

/** Returns the module in a smaller form. */
export function smaller(bytes) {
  const optimized = wasmOpt(bytes, PASSES);
  const { imports, functions } = contents(optimized);
  const order = neighbours(functions);
  const names = new Map(order.map((index, place) => [imports + index, String(place).padStart(6, "0")]));
  return wasmOpt(Buffer.concat([optimized, nameSection(names)]), ["reorder-functions-by-name"]);
}

function wasmOpt(bytes, passes) {
  const folder = mkdtempSync(join(tmpdir(), "hcl-lr-"));
  try {
    const [input, output] = [join(folder, "input.wasm"), join(folder, "output.wasm")];
    writeFileSync(input, bytes);
    const program = join(dirname(fileURLToPath(import.meta.url)), "node_modules/binaryen/bin/wasm-opt");
    const flags = ["--shrink-level=2", ...passes.map((pass) => `--${pass}`), "--strip-debug", "--strip-producers"];
    const { status, stderr } = spawnSync(process.execPath, [program, ...flags, input, "-o", output], { encoding: "utf8" });
    if (status !== 0) throw new Error(`wasm-opt failed: ${stderr}`);
    return readFileSync(output);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads the numbers and names of a module. */
class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() {
    return this.bytes[this.at++];
  }

  /** Reads a number in LEB128. */
  number() {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.byte();
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
  }

  /** Reads bytes after their number. */
  part() {
    const length = this.number();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

/** Returns the number of imported functions, and the code of the others. */
function contents(bytes) {
  const reader = new Reader(bytes, 8);
  let imports = 0;
  let functions = [];
  while (reader.at < bytes.length) {
    const kind = reader.byte();
    const section = new Reader(reader.part());
    if (kind === IMPORT) imports = importedFunctions(section);
    if (kind === CODE) functions = Array.from({ length: section.number() }, () => section.part());
  }
  return { imports, functions };
}

function importedFunctions(section) {
  for (let rest = section.number(), count = 0; ; rest -= 1) {
    if (rest === 0) return count;
    section.part();
    section.part();
    if (section.byte() !== 0) throw new Error("the engine imports something that is no function");
    section.number();
    count += 1;
  }
}

/** Returns the custom section with names of functions by their numbers. */
function nameSection(names) {
  const entries = [...names].sort(([a], [b]) => a - b);
  const map = Buffer.concat([leb(entries.length), ...entries.flatMap(([index, name]) => [leb(index), sized(Buffer.from(name))])]);
  const section = Buffer.concat([sized(Buffer.from("name")), Buffer.from([1]), sized(map)]);
  return Buffer.concat([Buffer.from([0]), sized(section)]);
}

const sized = (bytes) => Buffer.concat([leb(bytes.length), bytes]);

function leb(number) {
  const bytes = [];
  for (let rest = number; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}

/** Returns the numbers of functions in an order in which each has much in common with those before it. */
function neighbours(functions) {
  const holders = new Map();
  functions.forEach((code, index) => {
    for (const part of parts(code)) {
      const known = holders.get(part);
      if (known === undefined) holders.set(part, [index]);
      else if (known[known.length - 1] !== index) known.push(index);
    }
  });
  const shared = functions.map(() => []);
  for (const indexes of holders.values()) {
    if (indexes.length > 1 && indexes.length <= COMMON) for (const index of indexes) shared[index].push(indexes);
  }

  const order = [];
  const isPlaced = new Uint8Array(functions.length);
  /** The number of parts of each function that are in the window. */
  const score = new Int32Array(functions.length);
  /** How often each part is in the window. */
  const counts = new Map();
  const change = (index, by) => {
    for (const indexes of shared[index]) {
      const count = (counts.get(indexes) ?? 0) + by;
      counts.set(indexes, count);
      if (count === (by > 0 ? 1 : 0)) for (const other of indexes) score[other] += by;
    }
  };
  let [first, size, next] = [0, 0, 0];
  while (order.length < functions.length) {
    let best = -1;
    let most = 0;
    for (let index = next; index < functions.length; index += 1) {
      if (isPlaced[index] || score[index] === 0) continue;
      const value = score[index] / (functions[index].length + 20);
      if (value > most) [best, most] = [index, value];
    }
    while (isPlaced[next]) next += 1;
    if (best === -1) best = next;
    isPlaced[best] = 1;
    order.push(best);
    change(best, 1);
    size += functions[best].length;
    for (; size > WINDOW && first < order.length - 1; first += 1) {
      size -= functions[order[first]].length;
      change(order[first], -1);
    }
  }
  return order;
}

/** Iterates over the parts of code, as numbers. */
function* parts(code) {
  for (let at = 0; at + PART <= code.length; at += 1) yield code.readUIntLE(at, PART);
}
