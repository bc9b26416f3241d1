// The language server as a script for a worker: `new Worker(new URL("hcl-lr/worker", import.meta.url), { type: "module" })`.
// Messages of the protocol come and go by `postMessage`, as objects.
import { init } from "#loader";
import { LanguageServer } from "./language-server.mjs";

const server = new LanguageServer();
const ready = init();
let waiting = 0;

const send = (messages) => messages.forEach((message) => self.postMessage(message));

self.addEventListener("message", async ({ data }) => {
  waiting += 1;
  await ready;
  send(server.receive(typeof data === "string" ? JSON.parse(data) : data));
  // Messages that have arrived meanwhile come first.
  setTimeout(() => {
    waiting -= 1;
    if (waiting === 0) send(server.idle());
  });
});
