// The page's side of the engine. A call that takes too long ends with its worker, so the page never hangs.

const PATIENCE = 5_000;

/** Starts engines, one after the other if calls hang. `restarted` is called with each further one. */
export class Engine {
  #worker;
  #calls = new Map();
  #questions = new Map();
  #next = 1;
  #restarted;
  #notified;

  constructor({ restarted, notified }) {
    this.#restarted = restarted;
    this.#notified = notified;
    this.#start();
  }

  #start() {
    this.#worker = new Worker("engine.worker.js", { type: "module" });
    this.#worker.addEventListener("message", ({ data }) => this.#received(data));
  }

  #received(data) {
    for (const message of data.lsp ?? []) {
      const question = this.#questions.get(message.id);
      if (question) {
        this.#questions.delete(message.id);
        question(message.result ?? null);
      } else if (message.method) {
        this.#notified(message);
      }
    }
    const call = this.#calls.get(data.id);
    if (!call) return;
    this.#calls.delete(data.id);
    clearTimeout(call.timer);
    data.error ? call.reject(Object.assign(new Error(data.error.message), data.error)) : call.resolve(data.result);
  }

  /** Calls a function of the package. */
  call(name, ...given) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#hangs(), PATIENCE);
      this.#calls.set(id, { resolve, reject, timer });
      this.#worker.postMessage({ id, name, given });
    });
  }

  #hangs() {
    this.#worker.terminate();
    const calls = [...this.#calls.values()];
    for (const question of this.#questions.values()) question(null);
    this.#calls.clear();
    this.#questions.clear();
    this.#start();
    this.#restarted();
    for (const { reject, timer } of calls) {
      clearTimeout(timer);
      reject(new Error(`this takes more than ${PATIENCE / 1000} seconds, and was stopped`));
    }
  }

  tell(method, params) {
    this.#worker.postMessage({ lsp: { jsonrpc: "2.0", method, params } });
  }

  ask(method, params) {
    const id = `q${this.#next++}`;
    return new Promise((resolve) => {
      this.#questions.set(id, resolve);
      this.#worker.postMessage({ lsp: { jsonrpc: "2.0", id, method, params } });
    });
  }
}
