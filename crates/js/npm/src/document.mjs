// Edits of a file that leave everything else as it is.
import { call } from "#loader";
import { encode } from "./values.mjs";

/** A file in native syntax that can be edited. */
export class Document {
  #name;
  #text;

  constructor(text, { name = "document.hcl" } = {}) {
    this.#name = name;
    this.#text = text;
  }

  get name() {
    return this.#name;
  }

  get text() {
    return this.#text;
  }

  toString() {
    return this.#text;
  }

  find(address) {
    return JSON.parse(call((engine) => engine.find(this.#name, this.#text, address)));
  }

  has(address) {
    return this.find(address).length > 0;
  }

  get(address) {
    const found = this.find(address);
    return found.length === 1 ? found[0].constant : undefined;
  }

  addressAt(offset) {
    return call((engine) => engine.address_of(this.#name, this.#text, offset)) || undefined;
  }

  set(address, value, options = {}) {
    return this.#change((engine, name, text) => engine.set(name, text, address, encode(value), encode(options)));
  }

  setExpression(address, expression, options = {}) {
    const all = encode({ ...options, expression: true });
    return this.#change((engine, name, text) => engine.set(name, text, address, expression, all));
  }

  remove(address, options = {}) {
    return this.#change((engine, name, text) => engine.remove(name, text, address, encode(options)));
  }

  append(address, items, options = {}) {
    return this.#change((engine, name, text) => engine.insert(name, text, address, items, encode(options)));
  }

  move(address, options) {
    return this.#change((engine, name, text) => engine.move_item(name, text, address, encode(options)));
  }

  rename(address, name) {
    return this.#change((engine, file, text) => engine.rename(file, text, address, name));
  }

  comment(address, comment, options = {}) {
    return this.#change((engine, name, text) => engine.comment(name, text, address, comment ?? "", encode(options)));
  }

  #change(edit) {
    this.#text = call((engine) => edit(engine, this.#name, this.#text));
    return this;
  }
}
