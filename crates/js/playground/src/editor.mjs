// The editor: CodeMirror with answers of the language server.
import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { element } from "./dom.mjs";

const setTokens = StateEffect.define();
const tokenField = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    const fresh = transaction.effects.find((effect) => effect.is(setTokens));
    return fresh ? fresh.value : marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const uriOf = (name) => `file:///${encodeURI(name)}`;

/** An editor of one file at a time. */
export class Editor {
  #engine;
  #view;
  #names;
  #legend = [];
  #open = new Map();
  #changed;
  #timer;

  constructor(parent, engine, changed) {
    this.#engine = engine;
    this.#changed = changed;
    this.#view = new EditorView({ parent });
  }

  /** Introduces the page to a server, and opens the files there. */
  async connect(files) {
    this.#open.clear();
    const { capabilities } = await this.#engine.ask("initialize", {
      capabilities: { textDocument: { hover: { contentFormat: ["plaintext"] } } },
    });
    this.#legend = capabilities.semanticTokensProvider.legend.tokenTypes;
    this.#engine.tell("initialized", {});
    this.sync(files);
  }

  /** Tells the server about the files as they are. */
  sync(files) {
    const names = new Set(files.map(({ name }) => name));
    for (const [name] of this.#open) {
      if (names.has(name)) continue;
      this.#engine.tell("textDocument/didClose", { textDocument: { uri: uriOf(name) } });
      this.#open.delete(name);
    }
    for (const { name, text } of files) {
      const known = this.#open.get(name);
      if (known === undefined) {
        this.#open.set(name, { text, version: 1 });
        this.#engine.tell("textDocument/didOpen", { textDocument: { uri: uriOf(name), languageId: "hcl", version: 1, text } });
      } else if (known.text !== text) {
        known.text = text;
        known.version += 1;
        this.#engine.tell("textDocument/didChange", { textDocument: { uri: uriOf(name), version: known.version }, contentChanges: [{ text }] });
      }
    }
  }

  /** Shows a file. */
  show({ name, text }) {
    this.#names = name;
    this.#view.setState(EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), history(), drawSelection(), highlightActiveLine(), closeBrackets(), lintGutter(), tokenField,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": `Text of ${name}` }),
        autocompletion({ override: [(context) => this.#complete(context)] }),
        hoverTooltip((view, at) => this.#hover(at)),
        keymap.of([...completionKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          this.#changed(update.state.doc.toString());
          this.#colourSoon();
        }),
      ],
    }));
    this.#colourSoon();
  }

  /** Replaces the text, as an edit that can be undone. */
  replace(text) {
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
  }

  select(start, end) {
    const length = this.#view.state.doc.length;
    this.#view.dispatch({ selection: { anchor: Math.min(start, length), head: Math.min(end, length) }, scrollIntoView: true });
    this.#view.focus();
  }

  /** Takes a message of the server. */
  notified({ method, params }) {
    if (method !== "textDocument/publishDiagnostics" || params.uri !== uriOf(this.#names)) return;
    if (params.version !== this.#open.get(this.#names)?.version) return;
    const severity = ["error", "error", "warning", "info", "hint"];
    const found = params.diagnostics.map((one) => {
      const from = this.#offset(one.range.start);
      return { from, to: Math.max(from, this.#offset(one.range.end)), severity: severity[one.severity], message: one.message };
    });
    this.#view.dispatch(setDiagnostics(this.#view.state, found));
  }

  #offset({ line, character }) {
    const { doc } = this.#view.state;
    if (line >= doc.lines) return doc.length;
    const { from, to } = doc.line(line + 1);
    return Math.min(from + character, to);
  }

  #question(at) {
    const line = this.#view.state.doc.lineAt(at);
    return { textDocument: { uri: uriOf(this.#names) }, position: { line: line.number - 1, character: at - line.from } };
  }

  async #complete(context) {
    if (!context.explicit && !context.matchBefore(/[\w.]$/)) return null;
    const found = await this.#engine.ask("textDocument/completion", this.#question(context.pos));
    if (!found) return null;
    const from = context.matchBefore(/[\w-]*/)?.from ?? context.pos;
    const options = found.items.map((item) => ({
      label: item.label,
      detail: item.detail,
      info: typeof item.documentation === "string" ? item.documentation : item.documentation?.value,
      apply: item.textEdit?.newText?.replace(/\$\{?\d+(?::([^}]*))?\}?/g, "$1") ?? item.insertText ?? item.label,
    }));
    return { from, options, validFor: /^[\w-]*$/ };
  }

  async #hover(at) {
    const found = await this.#engine.ask("textDocument/hover", this.#question(at));
    if (!found) return null;
    const text = found.contents.value ?? String(found.contents);
    return { pos: this.#offset(found.range.start), end: this.#offset(found.range.end), create: () => ({ dom: element("pre", { className: "hover" }, text) }) };
  }

  #colourSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#colour(), 60);
  }

  async #colour() {
    const { doc } = this.#view.state;
    const found = await this.#engine.ask("textDocument/semanticTokens/full", { textDocument: { uri: uriOf(this.#names) } });
    // The text has changed meanwhile: the next answer is on its way.
    if (!found || doc !== this.#view.state.doc) return;
    const marks = [];
    let [line, character] = [0, 0];
    for (let at = 0; at < found.data.length; at += 5) {
      const [lines, characters, length, type] = found.data.slice(at, at + 4);
      character = lines > 0 ? characters : character + characters;
      line += lines;
      const from = this.#offset({ line, character });
      const to = Math.min(from + length, doc.length);
      if (to > from) marks.push(Decoration.mark({ class: `tok-${this.#legend[type]}` }).range(from, to));
    }
    this.#view.dispatch({ effects: setTokens.of(Decoration.set(marks)) });
  }
}
