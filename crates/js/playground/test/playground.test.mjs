// The playground in a headless Chromium: every view and button, links, keyboard, a narrow window, without a network.
//
// CHROMIUM names the browser; without it and without `chromium` in PATH, the tests are skipped. PLAYGROUND_SCREENSHOTS names a
// folder for pictures of the page.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const dist = join(dirname(fileURLToPath(import.meta.url)), "../dist");
/** The npm package, for the test of its modules in a browser. */
const npm = join(dist, "../../npm/dist");
const browserPath = process.env.CHROMIUM ?? spawnSync("which", ["chromium"], { encoding: "utf8" }).stdout?.trim();
const skip = browserPath && existsSync(join(dist, "engine.wasm")) ? false : "needs Chromium (CHROMIUM) and a build of the playground";
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

let server;
let browser;
let address;

before(async () => {
  if (skip) return;
  server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const file = path.startsWith("/npm/") ? join(npm, path.slice(5)) : join(dist, path === "/" ? "index.html" : path.slice(1));
    if (!(file.startsWith(dist) || file.startsWith(npm)) || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}/`;
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  browser = await chromium.launch({ executablePath: browserPath, headless: true, args });
});

after(async () => {
  await browser?.close();
  server?.close();
});

async function opened(options = {}, fragment = "") {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  await page.goto(address + fragment);
  await page.getByText("Ready. Nothing leaves this page.").waitFor({ timeout: 60_000 });
  await settled(page);
  return page;
}

/** Waits until the view is up to date. */
async function settled(page) {
  await page.waitForTimeout(400);
  await page.locator('#view[aria-busy="false"]').waitFor({ timeout: 30_000 });
}

async function shot(page, name) {
  if (process.env.PLAYGROUND_SCREENSHOTS) await page.screenshot({ path: join(process.env.PLAYGROUND_SCREENSHOTS, `${name}.png`) });
}

async function example(page, name) {
  await page.getByLabel("Example").selectOption(name);
  await settled(page);
}

async function view(page, name) {
  await page.getByRole("tab", { name, exact: true }).click();
  await settled(page);
  return page.locator("#view").innerText();
}

const text = (page) => page.locator(".cm-content").innerText();

test("errors with fixes to click", { skip }, async () => {
  const page = await opened();
  const articles = page.locator("#view .found");
  await shot(page, "errors");
  assert.ok((await articles.count()) >= 2);
  assert.ok((await page.locator(".cm-lintRange").count()) > 0, "errors are marked in the text");
  await page.getByRole("button", { name: /Fix: .*comma/ }).first().click();
  await settled(page);
  assert.match(await text(page), /\[80, 443\]/);
  await page.locator("#view .place").first().click();
  // A place leads to the text.
  await page.locator(".cm-editor.cm-focused").waitFor();
  assert.deepEqual(page.problems, []);
});

test("every view shows something of every example", { skip }, async () => {
  const page = await opened();
  const names = await page.locator("#examples option").allInnerTexts();
  const views = await page.locator("#views [role=tab]").allInnerTexts();
  assert.deepEqual(views, ["Errors", "Tree", "Tokens", "Derivation", "Value", "JSON", "Formatted", "Difference", "Strict dialect"]);
  for (const name of names.slice(1)) {
    await example(page, name);
    for (const one of views) assert.notEqual((await view(page, one)).trim(), "", `${name}: ${one}`);
  }
  assert.deepEqual(page.problems, []);
});

test("the views have the right contents", { skip }, async () => {
  const page = await opened();
  await example(page, "Values");
  const value = JSON.parse((await view(page, "Value")).replace(/\n\n[^]*/, ""));
  assert.equal(value.url, "http://EXAMPLE:8080");
  await shot(page, "value");
  assert.match(await view(page, "JSON"), /"service"/);
  assert.match(await view(page, "Tree"), /attribute ports/);
  await page.locator("#view").getByRole("button", { name: "attribute ports" }).click();
  assert.match(await page.evaluate(() => getSelection().toString()), /^ports = /);
  await shot(page, "tree");
  assert.match(await view(page, "Tokens"), /Identifier/);
  assert.match(await view(page, "Derivation"), /ConfigFile/);
  await view(page, "Formatted");
  await page.locator("#apply-format").click();
  await settled(page);
  assert.match(await view(page, "Formatted"), /The layout is canonical/);
  await example(page, "Two versions");
  assert.match(await view(page, "Difference"), /changed\s+port/);
  await shot(page, "difference");
  await example(page, "Your own language");
  assert.match(await view(page, "Errors"), /prot/);
  assert.deepEqual(page.problems, []);
});

test("completion and hover", { skip }, async () => {
  const page = await opened();
  await example(page, "Terraform");
  await page.locator(".cm-line", { hasText: "value = local.zone" }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("Control+Space");
  await page.locator(".cm-tooltip-autocomplete").getByText("zones").waitFor();
  // The list takes no keys in its first moment, so that nobody accepts by mistake.
  await page.waitForTimeout(200);
  await page.keyboard.press("Enter");
  await settled(page);
  assert.match(await text(page), /value = local\.zones/);
  await page.locator(".cm-line", { hasText: "toset" }).getByText("toset").hover();
  await page.locator("pre.hover").waitFor();
  await shot(page, "terraform");
  assert.ok((await page.locator("[class^=tok-]").count()) > 5, "the text is coloured");
});

test("files: add, rename, remove", { skip }, async () => {
  const page = await opened();
  page.once("dialog", (dialog) => dialog.accept("b.hcl"));
  await page.getByRole("button", { name: "Add file" }).click();
  await page.getByRole("tab", { name: "b.hcl" }).waitFor();
  page.once("dialog", (dialog) => dialog.accept("c.hcl"));
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("tab", { name: "c.hcl" }).waitFor();
  await page.getByRole("button", { name: "Remove" }).click();
  assert.equal(await page.locator("#files [role=tab]").count(), 1);
  await page.getByRole("button", { name: "Remove" }).click();
  assert.match(await page.locator("#status").innerText(), /last file/);
});

test("a link holds the state, there and back", { skip }, async () => {
  const page = await opened();
  await example(page, "Two versions");
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.waitForFunction(() => location.hash.length > 10);
  const { hash } = new URL(page.url());
  const other = await opened({}, hash);
  assert.deepEqual(await other.locator("#files [role=tab]").allInnerTexts(), ["new.hcl", "old.hcl"]);
  assert.equal(await other.locator('#views [aria-selected="true"]').innerText(), "Difference");
  const broken = await opened({}, "#1AAAA");
  assert.ok((await broken.locator("#files [role=tab]").count()) > 0);
});

test("keyboard alone", { skip }, async () => {
  const page = await opened();
  await page.locator('#views [aria-selected="true"]').focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Tree");
  assert.equal(await page.locator('#views [aria-selected="true"]').innerText(), "Tree");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.id), "view");
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.notEqual(await page.evaluate(() => document.activeElement.className), "cm-content");
  // Each control has a name.
  const unnamed = await page.locator("button, select, [role=tab]").evaluateAll((all) => all.filter((one) => !(one.innerText || one.labels?.length || one.ariaLabel)).length);
  assert.equal(unnamed, 0);
});

test("a narrow window, light and dark", { skip }, async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await opened({ viewport: { width: 360, height: 740 }, colorScheme });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the window");
    await shot(page, `phone-${colorScheme}`);
    const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const first = await back();
    await page.getByRole("button", { name: "Light or dark" }).click();
    assert.notEqual(await back(), first);
  }
});

test("every text can be read: contrast of at least 4.5", { skip }, async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await opened({ colorScheme });
    await example(page, "Terraform");
    const views = await page.locator("#views [role=tab]").allInnerTexts();
    for (const one of views) {
      await view(page, one);
      const faint = await page.evaluate(() => {
        const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        const paint = (colors) => {
          context.clearRect(0, 0, 1, 1);
          for (const color of colors) {
            context.fillStyle = color;
            context.fillRect(0, 0, 1, 1);
          }
          return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
        };
        const light = (rgb) => {
          const [r, g, b] = rgb.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const wrong = [];
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          const element = walker.currentNode.parentElement;
          if (!walker.currentNode.data.trim() || !element.checkVisibility() || ["NOSCRIPT", "OPTION"].includes(element.tagName)) continue;
          const backs = [];
          for (let at = element; at; at = at.parentElement) backs.unshift(getComputedStyle(at).backgroundColor);
          const all = ["Canvas", ...backs];
          const [text, back] = [light(paint([...all, getComputedStyle(element).color])), light(paint(all))];
          const ratio = (Math.max(text, back) + 0.05) / (Math.min(text, back) + 0.05);
          if (ratio < 4.5) wrong.push(`${walker.currentNode.data.slice(0, 20)} in ${element.className}: ${ratio.toFixed(2)}`);
        }
        return [...new Set(wrong)];
      });
      assert.deepEqual(faint, [], `${colorScheme}: ${one}`);
    }
  }
});

test("an endless evaluation does not stop the page", { skip }, async () => {
  const page = await opened();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText("a = [for x in range(1000) : [for y in range(1000) : [for z in range(1000) : x * y * z]]]\n");
  const shown = await view(page, "Value");
  assert.match(shown, /limit|seconds/);
  assert.match(await view(page, "Tree"), /attribute a/);
});

test("without a network", { skip }, async () => {
  const page = await opened();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForTimeout(500);
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText("Ready. Nothing leaves this page.").waitFor({ timeout: 60_000 });
});

test("the modules of the npm package in a page", { skip }, async () => {
  const page = await opened();
  const found = await page.evaluate(async () => {
    const { format, init } = await import("/npm/small.web.mjs");
    let early;
    try {
      format("a=1");
    } catch (error) {
      early = error.message;
    }
    await init();
    const full = await import("/npm/index.web.mjs");
    await full.init(await (await fetch("/npm/full.wasm")).arrayBuffer());
    const { parse } = await import("/npm/hcl2json.web.mjs");
    return { early, formatted: format("a=1\n"), value: full.evaluateExpression("1 + 1").value, json: await parse("a.tf", "a = b\n") };
  });
  assert.deepEqual(found, { early: "the engine is not loaded: `await init()` first", formatted: "a = 1\n", value: 2, json: { a: "${b}" } });
});

test("the language server of the npm package in a worker", { skip }, async () => {
  const page = await opened();
  const messages = await page.evaluate(() => new Promise((resolve) => {
    const worker = new Worker("/npm/worker.mjs", { type: "module" });
    const received = [];
    worker.onmessage = ({ data }) => {
      received.push(data);
      if (data.method === "textDocument/publishDiagnostics") resolve(received);
    };
    const send = (message) => worker.postMessage({ jsonrpc: "2.0", ...message });
    send({ id: 1, method: "initialize", params: { capabilities: {} } });
    send({ method: "initialized", params: {} });
    const textDocument = { uri: "file:///a.hcl", languageId: "hcl", version: 1, text: "a = [1 2]\n" };
    send({ method: "textDocument/didOpen", params: { textDocument } });
  }));
  assert.equal(messages[0].id, 1);
  assert.equal(messages.at(-1).params.diagnostics[0].code, "missing-comma");
});
