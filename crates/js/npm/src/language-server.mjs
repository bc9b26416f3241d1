// The language server: messages of the protocol in, messages out.
import { call } from "#loader";

/** A language server for one client. It survives a crash of the engine: a new one gets the same documents. */
export class LanguageServer {
  #server;
  /** The engine that has the server; undefined if there is none, or it failed. */
  #generation;
  #initialize;
  #documents = new Map();
  #files = new Map();

  /** Handles a message of the protocol. Returns the messages for the client. */
  receive(message) {
    const messages = this.#run((server) => server.receive(JSON.stringify(message)), message);
    this.#note(message);
    return messages;
  }

  /** Computes the diagnostics of documents that have changed. To be called when no message waits. */
  idle() {
    return this.#run((server) => server.idle());
  }

  #run(run, message) {
    try {
      const messages = call((engine, generation) => {
        if (generation !== this.#generation) this.#start(engine, generation);
        return run(this.#server);
      });
      return JSON.parse(messages);
    } catch (error) {
      this.#generation = undefined;
      const why = `internal error: the language server failed, and is started again; please report this (${error.message})`;
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

  /** Starts a server in an engine, with what is known of the client. */
  #start(engine, generation) {
    // The memory of an earlier one is that of an engine which is gone: nobody may free it in this one.
    this.#server?.__destroy_into_raw();
    this.#server = new engine.LanguageServer();
    this.#generation = generation;
    if (!this.#initialize) return;
    const tell = (method, params, id) => this.#server.receive(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    tell("initialize", this.#initialize, 0);
    tell("hcl/didChangeFiles", { files: [...this.#files].map(([uri, text]) => ({ uri, text })) });
    for (const textDocument of this.#documents.values()) tell("textDocument/didOpen", { textDocument });
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
