// The page: files, views, links.
import { applyFix } from "../../npm/src/positions.mjs";
import { element, fillTabs } from "./dom.mjs";
import { Editor } from "./editor.mjs";
import { Engine } from "./engine.mjs";
import { EXAMPLES } from "./examples.mjs";
import { fragmentOf, stateOf } from "./state.mjs";
import { VIEWS } from "./views.mjs";

const at = (id) => document.getElementById(id);
const status = (text) => (at("status").textContent = text);

const copy = (example) => ({ files: example.files.map((file) => ({ ...file })), active: 0, view: example.view });
let state = (await stateOf(location.hash)) ?? copy(Object.values(EXAMPLES)[0]);
if (!VIEWS[state.view]) state.view = "errors";

const engine = new Engine({
  restarted: () => editor.connect(state.files),
  notified: (message) => editor.notified(message),
});
const editor = new Editor(at("editor"), engine, (text) => {
  state.files[state.active].text = text;
  editor.sync(state.files);
  changed();
});

/** The actions of views on the page. */
const page = {
  other: undefined,
  show: (name, { start, end }) => page.select(state.files.findIndex((file) => file.name === name), [start.offset, end.offset]),
  select(index, [start, end]) {
    if (index < 0) return;
    if (index !== state.active) openFile(index);
    editor.select(start, end);
  },
  replace(index, text) {
    if (index !== state.active) openFile(index);
    editor.replace(text);
  },
  fix(fix) {
    state.files.forEach(({ name, text }, index) => {
      if (fix.edits.some((edit) => edit.file === name)) page.replace(index, applyFix(text, fix, name));
    });
  },
  compareWith(index) {
    page.other = index;
    showView();
  },
};

let timer;
function changed() {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    history.replaceState(null, "", await fragmentOf(state));
    await showView();
  }, 250);
}

let shown = 0;
async function showView() {
  const number = ++shown;
  const view = at("view");
  view.setAttribute("aria-busy", "true");
  let nodes;
  try {
    nodes = await VIEWS[state.view].show(state, engine, page);
  } catch (error) {
    nodes = [element("article", { className: "found error" }, element("p", {}, error.message)), element("pre", {}, error.report ?? "")];
  }
  // Another one was asked for meanwhile.
  if (number !== shown) return;
  view.replaceChildren(...nodes);
  view.setAttribute("aria-label", VIEWS[state.view].label);
  view.setAttribute("aria-busy", "false");
}

function showTabs() {
  fillTabs(at("files"), state.files.map(({ name }, index) => ({ id: index, label: name })), state.active, openFile);
  const views = Object.entries(VIEWS).map(([id, { label }]) => ({ id, label }));
  fillTabs(at("views"), views, state.view, (id) => {
    state.view = id;
    showTabs();
    changed();
  });
}

function openFile(index) {
  state.active = index;
  showTabs();
  editor.show(state.files[index]);
  changed();
}

function load(fresh) {
  state = fresh;
  editor.sync(state.files);
  openFile(state.active);
}

/** Asks for the name of a file. */
function nameFor(question, proposal) {
  const name = prompt(question, proposal)?.trim();
  if (!name || state.files.some((file) => file.name === name)) {
    if (name) status(`There is a file named ${name} already.`);
    return undefined;
  }
  return name;
}

at("add").addEventListener("click", () => {
  const name = nameFor("Name of the file", `file${state.files.length + 1}.hcl`);
  if (!name) return;
  state.files.push({ name, text: "" });
  editor.sync(state.files);
  openFile(state.files.length - 1);
});
at("rename").addEventListener("click", () => {
  const name = nameFor("New name of the file", state.files[state.active].name);
  if (!name) return;
  state.files[state.active].name = name;
  editor.sync(state.files);
  openFile(state.active);
});
at("remove").addEventListener("click", () => {
  if (state.files.length === 1) return status("The last file stays.");
  state.files.splice(state.active, 1);
  editor.sync(state.files);
  openFile(Math.min(state.active, state.files.length - 1));
});
at("share").addEventListener("click", async () => {
  history.replaceState(null, "", await fragmentOf(state));
  try {
    await navigator.clipboard.writeText(location.href);
    status("The link is copied.");
  } catch {
    status("The link is in the address bar.");
  }
});
at("theme").addEventListener("click", () => {
  const isDark = getComputedStyle(document.documentElement).colorScheme === "dark"
    || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = isDark ? "light" : "dark";
});
at("examples").append(element("option", { value: "" }, "…"), ...Object.keys(EXAMPLES).map((name) => element("option", { value: name }, name)));
at("examples").addEventListener("change", ({ target }) => {
  if (EXAMPLES[target.value]) load(copy(EXAMPLES[target.value]));
});
addEventListener("hashchange", async () => {
  const linked = await stateOf(location.hash);
  if (linked) load(linked);
});
if ("serviceWorker" in navigator) navigator.serviceWorker.register("offline.js").catch(() => {});

status("Loading…");
editor.show(state.files[state.active]);
showTabs();
await editor.connect(state.files);
openFile(state.active);
status("Ready. Nothing leaves this page.");
