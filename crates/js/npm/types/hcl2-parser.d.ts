/** The functions of the package `hcl2-parser`, with the same results. */
import type { HclError } from "./small.js";

export { HclError, init } from "./small.js";

/** Converts a text to the JSON text that hcl2json makes of it. The second element is the error, if there is one. */
export function parseToString(input: string): [json: string, error: HclError | null];

/** Converts a text to the object that hcl2json makes of it. The second element is the error, if there is one. */
export function parseToObject(input: string): [value: any, error: HclError | null];
