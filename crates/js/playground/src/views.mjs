// The views: each takes the state and an engine, and returns nodes.
import { element } from "./dom.mjs";

const pre = (text) => element("pre", {}, text);
const nothing = (text) => element("p", { className: "good" }, text);

/** The files that the engine reads, without the variables. */
const filesOf = (state) => Object.fromEntries(state.files.filter(({ name }) => name !== "variables.json").map(({ name, text }) => [name, text]));

function variablesOf(state) {
  const file = state.files.find(({ name }) => name === "variables.json");
  return file ? JSON.parse(file.text) : {};
}

/** Shows diagnostics. `page` goes to places and applies fixes. */
function listed(found, page) {
  return found.map((one) => {
    const { severity, code, summary, detail, file, range, help, labels, fixes } = one;
    const place = `${file}:${range.start.line}:${range.start.column}`;
    const item = element("article", { className: `found ${severity}` },
      element("p", {}, element("strong", {}, `${severity}: ${summary}`), detail ? `: ${detail}` : ""),
      element("p", {},
        element("button", { type: "button", className: "place", onclick: () => page.show(file, range) }, place),
        " ", element("span", { className: "quiet" }, code)));
    for (const label of labels) item.append(element("p", { className: "quiet" }, `${label.file}:${label.range.start.line}: ${label.message}`));
    if (help) item.append(element("p", {}, `Help: ${help}`));
    for (const fix of fixes) item.append(element("button", { type: "button", className: "fix", onclick: () => page.fix(fix) }, `Fix: ${fix.message}`), " ");
    return item;
  });
}

/** Shows a tree of the package's nodes; a click selects the text of a node. */
function treeOf(node, name, file, page) {
  const label = [name, node.kind, node.name ?? node.type ?? node.root ?? node.operator ?? node.value ?? node.text].filter((part) => part !== undefined && typeof part !== "object");
  const item = element("li", {}, element("button", { type: "button", onclick: () => page.select(file, node.range) }, label.join(" ")));
  const children = Object.entries(node).flatMap(([part, value]) => {
    if (Array.isArray(value)) return value.filter((one) => one?.range).map((one) => [part, one]);
    return value?.kind ? [[part, value]] : [];
  });
  if (children.length > 0) item.append(element("ul", { className: "tree" }, ...children.map(([part, child]) => treeOf(child, part, file, page))));
  return item;
}

export const VIEWS = {
  errors: {
    label: "Errors",
    async show(state, engine, page) {
      const found = await engine.call("check", filesOf(state));
      return found.length > 0 ? listed(found, page) : [nothing("No errors, in any of the files.")];
    },
  },
  tree: {
    label: "Tree",
    async show({ files, active }, engine, page) {
      const { name, text } = files[active];
      const { body, root } = await engine.call("parse", text, { name });
      return [element("ul", { className: "tree" }, treeOf(body ?? root, undefined, active, page))];
    },
  },
  tokens: {
    label: "Tokens",
    async show({ files, active }, engine) {
      const all = await engine.call("tokens", files[active].text);
      const rows = all.slice(0, 5_000).map(({ kind, range, text }) =>
        element("tr", {}, element("td", {}, kind), element("td", {}, String(range[0])), element("td", {}, JSON.stringify(text).slice(1, -1))));
      const head = element("tr", {}, ...["Kind", "Offset", "Text"].map((title) => element("th", { scope: "col" }, title)));
      return [element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows))];
    },
  },
  derivation: {
    label: "Derivation",
    async show({ files, active }, engine) {
      return [pre(await engine.call("derivation", files[active].name, files[active].text))];
    },
  },
  value: {
    label: "Value",
    async show(state, engine, page) {
      const options = { variables: variablesOf(state), file: state.files[state.active].name, errors: true, limits: { milliseconds: 3_000 } };
      const files = filesOf(state);
      if (files[options.file] === undefined) options.file = Object.keys(files)[0];
      const { value, unknown, sensitive, diagnostics } = await engine.call("evaluate", files, options);
      const notes = [["unknown", unknown], ["sensitive, and hidden", sensitive]].filter(([, paths]) => paths.length > 0);
      return [
        pre(JSON.stringify(value, null, 2)),
        ...notes.map(([what, paths]) => element("p", { className: "quiet" }, `${what}: ${paths.join(", ")}`)),
        ...listed(diagnostics, page),
      ];
    },
  },
  json: {
    label: "JSON",
    async show({ files, active }, engine) {
      const { name, text } = files[active];
      const isJson = name.endsWith(".json");
      const converted = await engine.call(isJson ? "fromJson" : "toJson", text, { name, ...(isJson ? {} : { comments: true }) });
      return [pre(converted.text)];
    },
  },
  formatted: {
    label: "Formatted",
    async show({ files, active }, engine, page) {
      const text = await engine.call("format", files[active].text);
      if (text === files[active].text) return [nothing("The layout is canonical."), pre(text)];
      return [element("button", { type: "button", id: "apply-format", onclick: () => page.replace(active, text) }, "Use this text"), pre(text)];
    },
  },
  difference: {
    label: "Difference",
    async show({ files, active }, engine, page) {
      const others = files.map(({ name }, index) => ({ name, index })).filter(({ index }) => index !== active);
      if (others.length === 0) return [element("p", {}, "Add a second file to compare with.")];
      const other = others.find(({ index }) => index === page.other) ?? others[0];
      const choice = element("select", { id: "other", onchange: (event) => page.compareWith(Number(event.target.value)) },
        ...others.map(({ name, index }) => element("option", { value: String(index), selected: index === other.index }, name)));
      const changes = await engine.call("compare", files[other.index].text, files[active].text);
      const rows = changes.map(({ kind, address, before, after }) =>
        element("tr", {}, ...[kind, address, before?.text ?? "", after?.text ?? ""].map((text) => element("td", {}, text))));
      const head = element("tr", {}, ...["Change", "Address", "Before", "After"].map((title) => element("th", { scope: "col" }, title)));
      return [
        element("p", {}, element("label", {}, "From ", choice), ` to ${files[active].name}`),
        changes.length > 0 ? element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)) : nothing("No differences but layout, comments and order."),
      ];
    },
  },
  strict: {
    label: "Strict dialect",
    async show(state, engine, page) {
      const found = await engine.call("check", filesOf(state), { dialect: "strict" });
      return found.length > 0 ? listed(found, page) : [nothing("The specification allows all of this.")];
    },
  },
};
