// Pages in Chromium with the language server in a worker, for tests.

import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
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

/** Starts Chromium, and a server for pages, the bundles in `out`, and files of npm packages that a test needs. */
export async function browserWith({ needs }) {
  const require = createRequire(join(process.cwd(), "package.json"));
  const packages = Object.fromEntries(needs.map((name) => [name, dirname(require.resolve(`${name}/package.json`))]));
  const { chromium } = require("playwright-core");
  const path = process.env.CHROMIUM ?? "/usr/bin/chromium";
  for (const file of [path, join(out, "worker.js"), join(out, "hcl.wasm")]) {
    if (!existsSync(file)) throw new Error(`there is no ${file}`);
  }
  let page = "";
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (pathname === "/") return response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
    const [, first, ...rest] = pathname.split("/");
    const file = first === "out" ? join(out, ...rest) : packages[first] && join(packages[first], ...rest);
    if (!file || !existsSync(file)) return response.writeHead(404).end();
    return response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox", "--disable-gpu"] });
  return {
    client,
    async open(html) {
      page = html;
      const tab = await browser.newPage();
      await tab.goto(`http://127.0.0.1:${server.address().port}/`);
      return tab;
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}
