// The language server, message by message.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LanguageServer } from "../dist/index.mjs";

function started(capabilities = {}) {
  const server = new LanguageServer();
  const [{ id, result }] = server.receive({ jsonrpc: "2.0", id: 1, method: "initialize", params: { capabilities } });
  assert.equal(id, 1);
  assert.ok(result.capabilities.hoverProvider);
  server.receive({ jsonrpc: "2.0", method: "initialized", params: {} });
  return server;
}

const codes = ({ diagnostics }) => diagnostics.filter((found) => found.severity === 1).map((found) => found.code);
const tell = (server, method, params) => server.receive({ jsonrpc: "2.0", method, params });
const open = (server, uri, text) => tell(server, "textDocument/didOpen", { textDocument: { uri, languageId: "hcl", version: 1, text } });
function ask(server, method, params) {
  const [answer] = server.receive({ jsonrpc: "2.0", id: 7, method, params });
  assert.equal(answer.id, 7);
  return answer;
}

test("diagnostics follow edits, across files", () => {
  const server = started();
  open(server, "file:///net/main.tf", "locals {\n  zone = var.region\n}\n");
  let [{ params }] = server.idle();
  assert.deepEqual(codes(params), ["unknown-variable"]);
  assert.deepEqual(server.idle(), []);
  tell(server, "hcl/didChangeFiles", { files: [{ uri: "file:///net/variables.tf", text: 'variable "region" {}\n' }] });
  [{ params }] = server.idle();
  assert.deepEqual(codes(params), []);
  tell(server, "textDocument/didChange", {
    textDocument: { uri: "file:///net/main.tf", version: 2 },
    contentChanges: [{ range: { start: { line: 1, character: 9 }, end: { line: 1, character: 19 } }, text: "[1 2]" }],
  });
  [{ params }] = server.idle();
  assert.equal(params.version, 2);
  assert.deepEqual(codes(params), ["missing-comma"]);
  const [closed] = tell(server, "textDocument/didClose", { textDocument: { uri: "file:///net/main.tf" } });
  assert.deepEqual(closed.params.diagnostics, []);
});

test("completion, hover, formatting, tokens", () => {
  const server = started();
  const uri = "file:///net/main.tf";
  open(server, uri, 'variable "region" {}\nlocals {\n  zone = var.\n}\n');
  const textDocument = { uri };
  const { result } = ask(server, "textDocument/completion", { textDocument, position: { line: 2, character: 13 } });
  assert.deepEqual(result.items.map((item) => item.label), ["region"]);
  tell(server, "textDocument/didChange", { textDocument: { uri, version: 2 }, contentChanges: [{ text: 'variable "region" {}\nlocals {\n zone=upper(var.region)\n}\n' }] });
  assert.match(JSON.stringify(ask(server, "textDocument/hover", { textDocument, position: { line: 2, character: 8 } }).result), /upper/);
  const options = { tabSize: 2, insertSpaces: true };
  assert.ok(ask(server, "textDocument/formatting", { textDocument, options }).result.length > 0);
  assert.ok(ask(server, "textDocument/semanticTokens/full", { textDocument }).result.data.length > 0);
});

test("wrong messages are answered", () => {
  const server = new LanguageServer();
  assert.equal(ask(server, "textDocument/hover", {}).error.code, -32002);
  const ready = started();
  assert.equal(ask(ready, "no/such", {}).error.code, -32601);
  assert.equal(ask(ready, "textDocument/hover", {}).error.code, -32602);
  assert.equal(ask(ready, "shutdown", null).result, null);
  assert.equal(ask(ready, "textDocument/hover", {}).error.code, -32600);
});

test("a server that fails is started again with the same documents", () => {
  const server = started();
  open(server, "file:///a.hcl", "a = 1\n");
  tell(server, "textDocument/didChange", {
    textDocument: { uri: "file:///a.hcl", version: 2 },
    contentChanges: [{ range: { start: { line: 0, character: 4 }, end: { line: 0, character: 5 } }, text: "[1 2]" }],
  });
  const loop = {};
  loop.self = loop;
  // No message of a client is like this: it stands for a defect.
  const [answer] = server.receive({ id: 9, method: "hcl/status", params: loop });
  assert.deepEqual([answer.id, answer.error.code], [9, -32603]);
  const [{ params }] = server.idle();
  assert.deepEqual(codes(params), ["missing-comma"]);
});
