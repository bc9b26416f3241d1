// Values on their way into the engine and out of it, as JSON.

const MARK = "\0";

/** Writes a value as JSON. A BigInt is a number, a Map is an object, and a property that is undefined is left out. */
export function encode(value) {
  return written(value, []);
}

function written(value, within) {
  switch (typeof value) {
    case "bigint":
      return value.toString();
    case "number":
      if (!Number.isFinite(value)) throw new TypeError(`${value} has no representation in HCL`);
      return JSON.stringify(value);
    case "string":
    case "boolean":
      return JSON.stringify(value);
    case "undefined":
      return "null";
    case "object":
      break;
    default:
      throw new TypeError(`a ${typeof value} has no representation in HCL`);
  }
  if (value === null) return "null";
  if (within.includes(value)) throw new TypeError("a value that contains itself has no representation in HCL");
  if (typeof value.toJSON === "function") return written(value.toJSON(), within);
  within.push(value);
  let text;
  if (Array.isArray(value) || value instanceof Set) {
    text = `[${Array.from(value, (element) => written(element, within)).join(",")}]`;
  } else {
    const entries = value instanceof Map ? [...value] : Object.entries(value);
    const shown = entries.filter(([, entry]) => entry !== undefined && typeof entry !== "function");
    text = `{${shown.map(([name, entry]) => `${JSON.stringify(String(name))}:${written(entry, within)}`).join(",")}}`;
  }
  within.pop();
  return text;
}

/** Reads JSON of the engine. With `numbers`, numbers that JavaScript has not are marked texts. */
export function decode(text, numbers) {
  if (numbers === undefined || numbers === "number") return JSON.parse(text);
  return JSON.parse(text, (_, value) => (typeof value === "string" && value.startsWith(MARK) ? unmarked(value, numbers) : value));
}

function unmarked(text, numbers) {
  const rest = text.slice(2);
  if (text[1] !== "n") return rest;
  return numbers === "bigint" && /^-?\d+$/.test(rest) ? BigInt(rest) : rest;
}
