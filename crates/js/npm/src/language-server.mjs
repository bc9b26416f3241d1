// The language server: messages of the protocol in, messages out.
import { call } from "#loader";

/** A language server for one client. It survives a crash of the engine: a new one gets the same documents. */
export class LanguageServer {
  #server;
  #initialize;
  #documents = new Map();
  #files = new Map();

  /** Handles a message of the protocol. Returns the messages for the client. */
  receive(message) {
    this.#note(message);
    return this.#run((server) => server.receive(JSON.stringify(message)), message);
  }

  /** Computes the diagnostics of documents that have changed. To be called when no message waits. */
  idle() {
    return this.#run((server) => server.idle());
  }

  #run(run, message) {
    try {
      this.#server ??= call((engine) => new engine.LanguageServer());
      return JSON.parse(call(() => run(this.#server)));
    } catch (error) {
      this.#server = undefined;
      this.#restart();
      const why = `internal error: the language server failed, and was started again; please report this (${error.message})`;
      const answer = message?.id === undefined
        ? { method: "window/logMessage", params: { type: 1, message: why } }
        : { id: message.id, error: { code: -32603, message: why } };
      return [{ jsonrpc: "2.0", ...answer }];
    }
  }

  /** Notes what a new engine has to know. */
  #note({ method, params }) {
    if (method === "initialize") this.#initialize = params;
    if (method === "textDocument/didOpen") this.#documents.set(params.textDocument.uri, { ...params.textDocument });
    if (method === "textDocument/didClose") this.#documents.delete(params.textDocument.uri);
    if (method === "textDocument/didChange") {
      const document = this.#documents.get(params.textDocument.uri);
      if (!document) return;
      document.version = params.textDocument.version;
      for (const { range, text } of params.contentChanges) {
        document.text = range ? replaced(document.text, range, text) : text;
      }
    }
    if (method === "hcl/didChangeFiles") {
      for (const { uri, text } of params.files) text === null ? this.#files.delete(uri) : this.#files.set(uri, text);
    }
  }

  #restart() {
    if (!this.#initialize) return;
    const server = call((engine) => new engine.LanguageServer());
    const tell = (method, params, id) => server.receive(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    tell("initialize", this.#initialize, 0);
    tell("hcl/didChangeFiles", { files: [...this.#files].map(([uri, text]) => ({ uri, text })) });
    for (const textDocument of this.#documents.values()) tell("textDocument/didOpen", { textDocument });
    this.#server = server;
  }
}

/** Replaces a range of lines and characters, both from 0. */
function replaced(text, { start, end }, fresh) {
  const offset = ({ line, character }) => {
    let at = 0;
    for (let passed = 0; passed < line; passed += 1) {
      const next = text.indexOf("\n", at);
      if (next === -1) return text.length;
      at = next + 1;
    }
    const lineEnd = text.indexOf("\n", at);
    return Math.min(at + character, lineEnd === -1 ? text.length : lineEnd);
  };
  return text.slice(0, offset(start)) + fresh + text.slice(offset(end));
}
