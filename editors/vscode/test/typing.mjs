// Types letters in monaco, the editor of VS Code, with the extension's language configuration, and checks that completions are
// asked for while a name is typed, without Ctrl+Space.
//
//   node test/typing.mjs
//
// Needs the npm packages `monaco-editor` and `playwright-core` where Node.js finds them, and Chromium at CHROMIUM or
// /usr/bin/chromium. Says so if they are missing, and ends with status 77.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { folderOf } from "./browser-kit.mjs";

const require = createRequire(join(process.cwd(), "package.json"));
const browserPath = process.env.CHROMIUM ?? "/usr/bin/chromium";
let monaco, chromium;
try {
  monaco = folderOf(require, "monaco-editor");
  ({ chromium } = require("playwright-core"));
  if (!existsSync(browserPath)) throw new Error(`there is no ${browserPath}`);
} catch (error) {
  console.log(`skipped: nothing is typed in monaco: ${error.message.split("\n")[0]}`);
  process.exit(77);
}

const configuration = readFileSync(new URL("../language-configuration.json", import.meta.url), "utf8");
const page = `<!doctype html><div id="editor" style="height:400px"></div><script src="/vs/loader.js"></script><script>
require.config({ paths: { vs: "/vs" } });
require(["vs/editor/editor.main"], () => {
  const { wordPattern } = ${configuration};
  monaco.languages.register({ id: "hcl" });
  monaco.languages.setLanguageConfiguration("hcl", {
    wordPattern: typeof wordPattern === "string" ? new RegExp(wordPattern) : new RegExp(wordPattern.pattern, wordPattern.flags),
  });
  window.asked = [];
  monaco.languages.registerCompletionItemProvider("hcl", {
    provideCompletionItems(model, position) {
      window.asked.push(model.getValue());
      const { startColumn } = model.getWordUntilPosition(position);
      const range = new monaco.Range(position.lineNumber, startColumn, position.lineNumber, position.column);
      return { suggestions: ["count", "größe"].map((label) => ({ label, kind: 9, insertText: label, range })) };
    },
  });
  window.editor = monaco.editor.create(document.getElementById("editor"), { language: "hcl", value: "" });
});
</script>`;
const types = { ".js": "text/javascript", ".css": "text/css" };
const server = createServer((request, response) => {
  const path = new URL(request.url, "http://localhost").pathname;
  const file = join(monaco, "min", path);
  if (path === "/") return response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
  if (!existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const tab = await browser.newPage();
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  await tab.waitForFunction(() => window.editor);
  for (const [typed, label] of [["c", "count"], ["gr", "größe"]]) {
    await tab.evaluate(() => {
      window.editor.setValue("");
      window.asked = [];
      window.editor.focus();
    });
    await tab.keyboard.type(typed, { delay: 50 });
    await tab.locator(".suggest-widget .monaco-list-row", { hasText: label }).waitFor({ timeout: 20_000 });
    assert.ok((await tab.evaluate(() => window.asked)).length > 0);
    await tab.keyboard.press("Enter");
    assert.equal(await tab.evaluate(() => window.editor.getValue()), label);
  }
  console.log("completions come while names are typed");
} finally {
  await browser.close();
  server.close();
}
