// The package in other runtimes than Node.js. They are found in PATH or where `npm install --no-save deno bun` puts them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const program = join(here, "runtimes/program.mjs");

for (const [name, args] of Object.entries({ node: [], deno: ["run", "--allow-read", "--no-prompt"], bun: ["run"] })) {
  test(`the package works in ${name}`, (context) => {
    const path = `${join(here, "../node_modules/.bin")}:${process.env.PATH}`;
    const { error, status, stdout, stderr } = spawnSync(name, [...args, program], { encoding: "utf8", env: { ...process.env, PATH: path } });
    if (error) {
      context.skip(`${name} cannot be had here`);
      return;
    }
    assert.deepEqual([status, stdout.trim()], [0, "fine"], stderr);
  });
}
