/** The functions of the package `@cdktf/hcl2json`, with the same results. */
export { HclError } from "./small.js";

/** Converts a text to the object that hcl2json makes of it. */
export function parse(filename: string, contents: string): Promise<Record<string, any>>;

/** Converts the files `*.tf` and `*.tf.json` of a folder, as one. Only where there is a file system. */
export function convertFiles(workingDirectory: string): Promise<Record<string, any>>;
