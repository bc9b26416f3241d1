/**
 * HCL 2 in JavaScript, the full build: parse, check, evaluate, format, edit, search, convert, and a language server.
 */
import type { Diagnostic, Dialect, Range } from "./small.js";

export * from "./small.js";

/** A file by its text, or several by their paths. Files of a folder that belong together are read together. */
export type Files = string | Record<string, string>;

/** The form of numbers that JavaScript cannot hold exactly: the nearest number, a string, or a BigInt for whole numbers and a string for others. */
export type Numbers = "number" | "string" | "bigint";

/** Options for functions that read files of a language. */
export interface LanguageOptions {
  /** The name of a file that is given as a text. It also decides the language. */
  name?: string;
  dialect?: Dialect;
  /** The language: the name of a shipped one, `none`, the path of a file with a schema, or the text of a schema. By default, the names and contents of the files decide. */
  schema?: string;
}

/** Options for {@link check}. */
export interface CheckOptions extends LanguageOptions {
  /** False to look only at the text and the schema. */
  values?: boolean;
}

/** Returns the errors and warnings in files: of the text, of the schema, of names, and of values that are wrong for every input. */
export function check(files: Files, options?: CheckOptions): Diagnostic[];

/** Limits of an evaluation, for input that is not trusted. Steps and bytes have limits by default. */
export interface Limits {
  steps?: number;
  bytes?: number;
  milliseconds?: number;
}

/** Options for {@link evaluate}. */
export interface EvaluateOptions extends LanguageOptions {
  /** The values of inputs, or of variables for files without a language. */
  variables?: Record<string, unknown>;
  /** Further functions. Their arguments and results are plain values; what they throw is an error of the file. */
  functions?: Record<string, (...values: any[]) => unknown>;
  /** The functions of the library: those of the language by default. */
  functionSet?: "standard" | "extended" | "terraform" | "packer" | "nomad";
  /** An expression to evaluate, which can refer to names in the files. */
  expression?: string;
  /** The file whose project is meant, if the files form several. */
  file?: string;
  numbers?: Numbers;
  limits?: Limits;
  /** True to return what is known in spite of errors, rather than to throw them. */
  errors?: boolean;
}

/** The result of an evaluation. */
export interface Evaluated<T = unknown> {
  /** The value. Parts that are unknown or sensitive are null. */
  value: T;
  /** The paths of the parts that are unknown, such as `server.web.address`. */
  unknown: string[];
  /** The paths of the parts that are sensitive, and hidden. */
  sensitive: string[];
  diagnostics: Diagnostic[];
}

/**
 * Evaluates files: attributes by their names, blocks by type and labels, and references resolved. With a schema, values
 * have its types and defaults.
 *
 * ```js
 * evaluate("port = base + 1\n", { variables: { base: 8000 } }).value; // { port: 8001 }
 * ```
 */
export function evaluate<T = any>(files: Files, options?: EvaluateOptions): Evaluated<T>;

/** Evaluates an expression. */
export function evaluateExpression<T = any>(
  expression: string,
  options?: Omit<EvaluateOptions, "expression" | "file" | "name">,
): Evaluated<T>;

/** Options for {@link query}. */
export interface QueryOptions extends LanguageOptions {
  /** A condition over `self` and `node`. */
  where?: string;
  /** The expression of the result of each match, over `self` and `node`. */
  select?: string;
  numbers?: Numbers;
}

/** A match of a query. */
export interface QueryMatch {
  file: string;
  address: string;
  kind: string;
  range: Range;
  text: string;
  /** The source text of the value. */
  value?: string;
  /** The value of `select`. */
  result?: unknown;
}

/**
 * Searches files by address and condition.
 *
 * ```js
 * query(files, "resource.aws_instance[*]", { where: "!has(tags.Team)" }).matches;
 * ```
 */
export function query(
  files: Files,
  address: string,
  options?: QueryOptions,
): { matches: QueryMatch[]; undecided: QueryMatch[]; diagnostics: Diagnostic[] };

/** A part that differs. */
export interface ChangedPart {
  address: string;
  range: Range;
  text: string;
}

/** A difference between two files. */
export interface Change {
  kind: "added" | "removed" | "changed" | "moved" | "renamed";
  address: string;
  before?: ChangedPart;
  after?: ChangedPart;
}

/** Compares two files by structure: layout, comments and the order of attributes do not count. */
export function compare(before: string, after: string): Change[];

/** Schemas of languages. `language` is the name of a shipped one, or the text of a schema. */
export const schema: {
  /** Returns the names of the shipped languages. */
  names(): string[];
  /** Returns a reference of the language in Markdown. */
  docs(language: string): string;
  /** Returns the JSON Schema of its files in the JSON syntax. */
  jsonSchema(language: string, options?: { files?: string }): Record<string, unknown>;
  /** Returns types of a programming language for the values of its files. */
  types(language: string, options?: { files?: string; language?: "typescript" | "python" | "go" | "rust" }): string;
};

/** A message of the language server protocol. */
export interface Message {
  jsonrpc?: "2.0";
  id?: number | string | null;
  method?: string;
  params?: any;
  result?: any;
  error?: { code: number; message: string };
}

/**
 * A language server without threads and files. The module `hcl-lr/worker` runs it in a worker.
 *
 * The notification `hcl/didChangeFiles` gives it files that are not open: `files` is a list of `uri` and `text`, which is
 * null for a file that was removed.
 */
export class LanguageServer {
  /** Handles a message. Returns the messages for the client. */
  receive(message: Message): Message[];
  /** Computes the diagnostics of documents that have changed. To be called when no message waits. */
  idle(): Message[];
}
