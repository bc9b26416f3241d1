// Types the sessions of the language server (`crates/lsp/tests/typed`) in monaco, the editor of VS Code, with the server in a
// worker, and compares what monaco shows at each `<Accept>` with the record: the offer that is taken, and the text at the end.
//
//   node bundle.mjs && node test/sessions.mjs [NAME …]
//   SERVER='hcl lsp' node test/sessions.mjs [NAME …]     with the program in place of the worker
//
// Needs the npm packages `monaco-editor` and `playwright-core` where Node.js finds them, Chromium at CHROMIUM or
// /usr/bin/chromium, and the engine in `out`. Says so if something is missing, and ends with status 77.

import { readFileSync, readdirSync } from "node:fs";
import { basename } from "node:path";
import { browserWith, skip } from "./browser-kit.mjs";

const folder = new URL("../../../crates/lsp/tests/typed/", import.meta.url);
const wanted = process.argv.slice(2);

/** The fences of a session: their words and texts. */
function fences(text) {
  return [...text.matchAll(/^```(\S+)(?: ([^\n]*))?\n([\s\S]*?)^```$/gm)].map(([, kind, words = "", content]) => ({ kind, words, content }));
}

function read(name) {
  const all = fences(readFileSync(new URL(name, folder), "utf8"));
  const one = (kind) => all.find((fence) => fence.kind === kind);
  const [file, language = "hcl"] = one("open").words.split(" ");
  const keys = one("keys").content.replaceAll("\n", "").match(/<(?:Enter|Backspace|End|Down|Accept|Tab|Ask)>|[\s\S]/gu);
  const accepted = one("offered").content.split("\n").filter((line) => line.startsWith("<Accept>"));
  return {
    name: basename(name, ".md"),
    files: all.filter((fence) => fence.kind === "file").map(({ words, content }) => ({ uri: `file:///w/${words}`, text: content })),
    uri: `file:///w/${file}`,
    language,
    text: one("open").content,
    keys,
    accepted: accepted.map((line) => /"(.*)"/.exec(line)?.[1].replaceAll('\\"', '"')),
    end: one("text").content,
  };
}

const configuration = JSON.parse(readFileSync(new URL("../language-configuration.json", import.meta.url), "utf8"));
const page = `<!doctype html><div id="editor" style="height:600px"></div><script src="/monaco-editor/min/vs/loader.js"></script>`;

/** Makes the editor in the page, and a function that begins a session. */
async function prepare(configuration) {
  require.config({ paths: { vs: "/monaco-editor/min/vs" } });
  await new Promise((done) => require(["vs/editor/editor.main"], done));
  monaco.languages.register({ id: "hcl" });
  const { pattern, flags } = configuration.wordPattern;
  const { autoClosingPairs, brackets, surroundingPairs, comments, autoCloseBefore, indentationRules } = configuration;
  monaco.languages.setLanguageConfiguration("hcl", {
    wordPattern: new RegExp(pattern, flags),
    autoClosingPairs, brackets, surroundingPairs, comments, autoCloseBefore,
    indentationRules: {
      increaseIndentPattern: new RegExp(indentationRules.increaseIndentPattern),
      decreaseIndentPattern: new RegExp(indentationRules.decreaseIndentPattern),
    },
  });
  const kinds = { 3: 1, 5: 3, 6: 4, 7: 5, 9: 8, 10: 9, 12: 13, 14: 17, 15: 27, 18: 21, 19: 23, 21: 14 };
  monaco.languages.registerCompletionItemProvider("hcl", {
    triggerCharacters: [".", '"', "[", "{"],
    async provideCompletionItems(model, { lineNumber, column }, { triggerKind, triggerCharacter }) {
      const position = { line: lineNumber - 1, character: column - 1 };
      const { items, isIncomplete } = await window.server.ask("textDocument/completion", {
        textDocument: { uri: window.uri }, position, context: { triggerKind: triggerKind + 1, triggerCharacter },
      });
      const suggestions = items.map(({ label, kind, textEdit, insertTextFormat, sortText, filterText }) => {
        const { start, end } = textEdit.range;
        const range = new monaco.Range(start.line + 1, start.character + 1, end.line + 1, end.character + 1);
        const insertTextRules = insertTextFormat === 2 ? 4 : undefined;
        return { label, kind: kinds[kind] ?? 18, insertText: textEdit.newText, insertTextRules, range, sortText, filterText };
      });
      return { suggestions, incomplete: isIncomplete };
    },
  });
  window.editor = monaco.editor.create(document.getElementById("editor"), {
    language: "hcl", tabSize: 2, insertSpaces: true, wordBasedSuggestions: "off",
    quickSuggestions: { other: "on", comments: "off", strings: "on" }, suggest: { snippetsPreventQuickSuggestions: false },
  });
  window.begin = async ({ files, uri, language, text }) => {
    window.server?.end();
    window.server = await window.startServer();
    window.uri = uri;
    const completion = { completionItem: { snippetSupport: true } };
    await window.server.ask("initialize", { capabilities: { textDocument: { completion } } });
    window.server.tell("initialized", {});
    window.server.tell("hcl/didChangeFiles", { files });
    // A program knows only documents.
    for (const file of files) {
      window.server.tell("textDocument/didOpen", { textDocument: { ...file, languageId: "hcl", version: 0 } });
    }
    const cursor = text.indexOf("¦");
    const start = text.replace("¦", "");
    window.listener?.dispose();
    window.editor.setValue(start);
    window.server.tell("textDocument/didOpen", { textDocument: { uri, languageId: language, version: 0, text: start } });
    let version = 0;
    const model = window.editor.getModel();
    model.setEOL(0);
    window.listener = model.onDidChangeContent(() => {
      version += 1;
      window.server.tell("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text: model.getValue() }] });
    });
    window.editor.setPosition(model.getPositionAt(cursor === -1 ? start.length : cursor));
    window.editor.focus();
  };
}

/** Returns the label of the focused offer, once the list no longer changes. */
async function offered(tab) {
  const focused = tab.locator(".suggest-widget.visible .monaco-list-row.focused .label-name");
  let last;
  for (let wait = 0; wait < 40; wait += 1) {
    const now = (await focused.count()) ? await focused.first().innerText() : undefined;
    if (now !== undefined && now === last) return now;
    last = now;
    await tab.waitForTimeout(100);
  }
  return last;
}

async function play(tab, session) {
  await tab.evaluate((session) => window.begin(session), session);
  const differences = [];
  let accepted = 0;
  for (const key of session.keys) {
    switch (key) {
      case "<Accept>": {
        const expected = session.accepted[accepted++];
        // There was nothing to accept.
        if (expected === undefined) break;
        const label = await offered(tab);
        if (label !== expected) differences.push(`accepts ${label}, not ${expected}`);
        await tab.keyboard.press("Enter");
        break;
      }
      case "<Ask>":
        await tab.keyboard.press("Control+Space");
        break;
      case "<Enter>":
      case "<End>":
      case "<Down>":
      case "<Backspace>":
      case "<Tab>":
        // A list that is open would take the key.
        if (await tab.locator(".suggest-widget.visible").count()) await tab.keyboard.press("Escape");
        await tab.keyboard.press(key === "<Down>" ? "ArrowDown" : key.slice(1, -1));
        if (key === "<Down>") await tab.keyboard.press("End");
        break;
      default:
        await tab.keyboard.type(key, { delay: 20 });
    }
  }
  const blank = (text) => text.split("\n").map((line) => line.trimEnd()).filter(Boolean).join("\n");
  const text = await tab.evaluate(() => window.editor.getValue());
  if (blank(text) !== blank(session.end)) differences.push(`the text is ${JSON.stringify(text)}, not ${JSON.stringify(session.end)}`);
  return differences;
}

const kit = await browserWith({ needs: ["monaco-editor"], command: process.env.SERVER }).catch(skip);
try {
  const tab = await kit.open(page);
  await tab.evaluate(kit.client);
  await tab.evaluate(prepare, configuration);
  const names = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md").sort();
  const sessions = names.map(read).filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  let failed = 0;
  for (const session of sessions) {
    const differences = await play(tab, session);
    if (differences.length > 0) {
      failed += 1;
      console.log(`${session.name}:\n  ${differences.join("\n  ")}`);
    }
  }
  console.log(`${sessions.length - failed} of ${sessions.length} sessions go in monaco as recorded`);
  if (failed > 0) process.exitCode = 1;
} finally {
  await kit.close();
}
