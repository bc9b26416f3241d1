// Runs the worker of the browser's extension in Chromium, and checks what it answers: errors, completions, a value on hover, and
// names of a file that is only sent.
//
//   node bundle.mjs && node test/worker.mjs
//
// Needs the npm package `playwright-core` where Node.js finds it, Chromium at CHROMIUM or /usr/bin/chromium, and the engine in
// `out`. Says so if something is missing, and ends with status 77.

import assert from "node:assert/strict";
import { browserWith, skip } from "./browser-kit.mjs";

const kit = await browserWith({ needs: [] }).catch(skip);
try {
  const tab = await kit.open("<!doctype html><title>worker</title>");
  await tab.evaluate(kit.client);
  const answers = await tab.evaluate(async () => {
    const server = await window.startServer();
    await server.ask("initialize", { capabilities: {} });
    server.tell("initialized", {});
    server.tell("hcl/didChangeFiles", { files: [{ uri: "file:///0-w/variables.tf", text: 'variable "region" {\n  default = "eu"\n}\n' }] });
    const uri = "file:///0-w/main.tf";
    const text = "locals {\n  zone = var.re\n  wrong = var.regoin\n}\n";
    server.tell("textDocument/didOpen", { textDocument: { uri, languageId: "terraform", version: 1, text } });
    const at = (line, character) => ({ textDocument: { uri }, position: { line, character } });
    const completion = await server.ask("textDocument/completion", at(1, 15));
    const hover = await server.ask("textDocument/hover", at(1, 4));
    const diagnostics = await server.published(uri);
    return { labels: completion.items.map((item) => item.label), hover: JSON.stringify(hover), diagnostics };
  });
  assert.equal(answers.labels[0], "region");
  assert.match(answers.hover, /zone/);
  assert.ok(answers.diagnostics.some(({ message }) => message.includes("var.regoin")));
  console.log("the server answers in a worker");
} finally {
  await kit.close();
}
