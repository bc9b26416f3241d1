// Pages in Chromium with the language server in a worker, for tests.

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const out = fileURLToPath(new URL("../out/", import.meta.url));
const types = { ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** Says why a test is skipped, and ends with the status for that. */
export function skip(error) {
  console.log(`skipped: nothing runs in Chromium: ${error.message.split("\n")[0]}`);
  process.exit(77);
}

/** Defines `startServer` in a page: a client of the server in the worker. */
function client() {
  window.startServer = async () => {
    const worker = new Worker("/out/worker.js");
    const engine = await (await fetch("/out/hcl.wasm")).arrayBuffer();
    worker.postMessage({ engine });
    const asked = new Map();
    const diagnostics = new Map();
    let number = 0;
    worker.addEventListener("message", ({ data }) => {
      if (data.method === "textDocument/publishDiagnostics") diagnostics.set(data.params.uri, data.params.diagnostics);
      const answered = asked.get(data.id);
      if (!answered) return;
      asked.delete(data.id);
      data.error ? answered.reject(new Error(data.error.message)) : answered.resolve(data.result);
    });
    return {
      tell: (method, params) => worker.postMessage({ jsonrpc: "2.0", method, params }),
      ask(method, params) {
        number += 1;
        worker.postMessage({ jsonrpc: "2.0", id: number, method, params });
        return new Promise((resolve, reject) => asked.set(number, { resolve, reject }));
      },
      async published(uri) {
        for (let wait = 0; wait < 600 && !diagnostics.has(uri); wait += 1) await new Promise((done) => setTimeout(done, 100));
        return diagnostics.get(uri);
      },
      end: () => worker.terminate(),
    };
  };
}

/** Defines `startServer` in a page: a client of a program, whose messages this process passes on. */
function clientOfProgram() {
  window.startServer = async () => {
    let last = Promise.resolve();
    let number = 0;
    // The messages arrive in their order.
    const post = (message) => {
      const body = JSON.stringify({ jsonrpc: "2.0", ...message });
      last = last.then(() => fetch("/server", { method: "POST", body })).then((answer) => answer.json());
      return last;
    };
    await fetch("/server", { method: "POST", body: "" });
    return {
      tell: (method, params) => void post({ method, params }),
      async ask(method, params) {
        number += 1;
        const { result, error } = await post({ id: number, method, params });
        if (error) throw new Error(error.message);
        return result;
      },
      end() {},
    };
  };
}

/** A language server as a program. */
class Program {
  #child;
  #asked = new Map();
  #rest = Buffer.alloc(0);

  constructor(command) {
    const [program, ...words] = command.split(" ");
    this.#child = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
    this.#child.stdout.on("data", (bytes) => this.#read(bytes));
  }

  #read(bytes) {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const end = this.#rest.indexOf("\r\n\r\n");
      const length = end === -1 ? NaN : Number(/content-length: *([0-9]+)/i.exec(this.#rest.subarray(0, end).toString())?.[1]);
      if (!(this.#rest.length >= end + 4 + length)) return;
      const message = JSON.parse(this.#rest.subarray(end + 4, end + 4 + length).toString());
      this.#rest = this.#rest.subarray(end + 4 + length);
      if (message.method && message.id !== undefined) this.#write({ jsonrpc: "2.0", id: message.id, result: null });
      this.#asked.get(message.id)?.(message);
      this.#asked.delete(message.id);
    }
  }

  #write(message) {
    const text = JSON.stringify(message);
    this.#child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  /** Sends a message. Returns the answer to a question. */
  send(message) {
    this.#write(message);
    if (message.id === undefined) return Promise.resolve({});
    return new Promise((done) => this.#asked.set(message.id, done));
  }

  end() {
    this.#child.kill();
  }
}

/** Returns the folder of a package, which need not export its files. */
export function folderOf(require, name) {
  const folder = require.resolve.paths(name).map((path) => join(path, name)).find((path) => existsSync(path));
  if (!folder) throw new Error(`there is no package ${name}`);
  return folder;
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Starts Chromium, and a server for pages, the bundles in `out`, and files of npm packages that a test needs. */
export async function browserWith({ needs, command }) {
  const require = createRequire(join(process.cwd(), "package.json"));
  const packages = Object.fromEntries(needs.map((name) => [name, folderOf(require, name)]));
  const { chromium } = require("playwright-core");
  const path = process.env.CHROMIUM ?? "/usr/bin/chromium";
  for (const file of command ? [path] : [path, join(out, "worker.js"), join(out, "hcl.wasm")]) {
    if (!existsSync(file)) throw new Error(`there is no ${file}`);
  }
  let page = "";
  let program;
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (pathname === "/server") {
      const body = await bodyOf(request);
      if (body === "") {
        program?.end();
        program = new Program(command);
        return response.end("{}");
      }
      return response.end(JSON.stringify(await program.send(JSON.parse(body))));
    }
    if (pathname === "/") return response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
    const [, first, ...rest] = pathname.split("/");
    const file = first === "out" ? join(out, ...rest) : packages[first] && join(packages[first], ...rest);
    if (!file || !existsSync(file)) return response.writeHead(404).end();
    return response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox", "--disable-gpu"] });
  return {
    client: command ? clientOfProgram : client,
    async open(html) {
      page = html;
      const tab = await browser.newPage();
      await tab.goto(`http://127.0.0.1:${server.address().port}/`);
      return tab;
    },
    async close() {
      await browser.close();
      program?.end();
      server.close();
    },
  };
}
