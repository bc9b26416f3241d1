// The language server in a worker: messages of the protocol come and go as objects. The first message has the engine.

import { init } from "#loader";
import { LanguageServer } from "../../../crates/js/npm/src/language-server.mjs";

const server = new LanguageServer();
let ready;
let waiting = 0;

const send = (messages) => messages.forEach((message) => self.postMessage(message));

self.addEventListener("message", async ({ data }) => {
  if (data.engine) {
    ready = init(data.engine);
    return;
  }
  waiting += 1;
  await ready;
  send(server.receive(data));
  // Messages that have arrived meanwhile come first.
  setTimeout(() => {
    waiting -= 1;
    if (waiting === 0) send(server.idle());
  });
});
