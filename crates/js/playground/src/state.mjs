// The state of the playground, and links that hold it.

const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const bytesOf = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));

async function through(bytes, stream) {
  const response = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await response.arrayBuffer());
}

/** The largest state that a link may hold, so that a link cannot fill the memory. */
const MAX_STATE = 2_000_000;

/** Writes a state as the fragment of a link. */
export async function fragmentOf(state) {
  const text = new TextEncoder().encode(JSON.stringify(state));
  return `#1${base64(await through(text, new CompressionStream("deflate-raw")))}`;
}

/** Reads the fragment of a link. Returns undefined if it is none of ours. */
export async function stateOf(fragment) {
  if (!fragment.startsWith("#1")) return undefined;
  try {
    const bytes = await limited(bytesOf(fragment.slice(2)));
    const state = JSON.parse(new TextDecoder().decode(bytes));
    const isFile = (file) => typeof file?.name === "string" && typeof file.text === "string";
    const isState = Array.isArray(state.files) && state.files.length > 0 && state.files.every(isFile);
    if (!isState) return undefined;
    const files = state.files.map(({ name, text }) => ({ name, text }));
    return { files, active: state.files[state.active] ? state.active : 0, view: String(state.view ?? "errors") };
  } catch {
    return undefined;
  }
}

async function limited(packed) {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  let length = 0;
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    length += value.length;
    if (length > MAX_STATE) throw new Error("the state is too large");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
