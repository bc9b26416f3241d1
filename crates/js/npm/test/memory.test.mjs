// The memory of the engine stays as it is, however many files it reads.
import assert from "node:assert/strict";
import { test } from "node:test";

const memories = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...args) {
    super(...args);
    memories.push(this.exports.memory);
  }
};

const small = await import("../dist/small.mjs");
const full = await import("../dist/index.mjs");

const text = (number) => `service "s${number}" {\n  port  = ${number}\n  names = ["a${number}", "b"]\n}\n`;
const broken = (number) => `service "s${number}" {\n  port = [${number} 1]\n`;

const jobs = {
  "converting to JSON": (number) => JSON.parse(small.toJson(text(number)).text),
  parsing: (number) => small.parse(text(number)),
  "parsing with errors": (number) => small.parse(broken(number)),
  formatting: (number) => small.format(text(number)),
  editing: (number) => new small.Document(text(number)).set(`service.s${number}.port`, 1).text,
  checking: (number) => full.check({ "main.hcl": broken(number) }),
  evaluating: (number) => full.evaluate(`a = ${number} + 1\n`).value,
};

for (const [name, job] of Object.entries(jobs)) {
  test(`${name} 10,000 files takes no more memory than 1,000`, () => {
    for (let number = 0; number < 1_000; number += 1) job(number);
    const before = memories.map((memory) => memory.buffer.byteLength);
    for (let number = 1_000; number < 11_000; number += 1) job(number);
    assert.ok(before.length > 0);
    assert.deepEqual(memories.map((memory) => memory.buffer.byteLength), before);
  });
}
