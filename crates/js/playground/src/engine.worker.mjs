// The engine in a worker: functions of the package by name, and the language server.
import * as hcl from "../../npm/src/index.mjs";
import { derivation } from "./derivation.mjs";

const functions = { ...hcl, derivation, schemaNames: hcl.schema.names };
const server = new hcl.LanguageServer();
const ready = hcl.init();
let waiting = 0;

self.addEventListener("message", async ({ data }) => {
  waiting += 1;
  await ready;
  if (data.lsp) {
    self.postMessage({ lsp: server.receive(data.lsp) });
  } else {
    const { id, name, given } = data;
    try {
      self.postMessage({ id, result: functions[name](...given) });
    } catch (error) {
      self.postMessage({ id, error: { message: error.message, report: error.report, diagnostics: error.diagnostics ?? [] } });
    }
  }
  setTimeout(() => {
    waiting -= 1;
    if (waiting === 0) self.postMessage({ lsp: server.idle() });
  });
});
