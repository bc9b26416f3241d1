/**
 * HCL 2 in JavaScript, the small build: parse, format, edit, and convert to JSON and back.
 *
 * All offsets and columns count units of UTF-16, as strings of JavaScript do.
 */

/** A position in a text. */
export interface Position {
  /** The offset from 0. */
  offset: number;
  /** The line from 1. */
  line: number;
  /** The column from 1. */
  column: number;
}

/** The part of a text between two positions. */
export interface Range {
  start: Position;
  end: Position;
}

/** The part of a text between two offsets: start and end. */
export type Span = [start: number, end: number];

/** A replacement in a file. */
export interface Edit {
  file: string;
  range: Range;
  text: string;
}

/** Edits that would fix a problem. */
export interface Fix {
  message: string;
  /** True if the fix cannot change the meaning of what is right. */
  safe: boolean;
  edits: Edit[];
}

/** An error or warning with its place. */
export interface Diagnostic {
  severity: "error" | "warning" | "note";
  /** The name of the kind of problem, such as `missing-comma`. */
  code: string;
  /** The headline. */
  summary: string;
  /** The problem in this case; empty if the headline says it all. */
  detail: string;
  file: string;
  range: Range;
  help?: string;
  /** Other places that matter. */
  labels: { message: string; file: string; range: Range }[];
  fixes: Fix[];
}

/** The error that all functions throw for wrong input. */
export class HclError extends Error {
  /** The errors and warnings behind it; empty if the problem is in an option or address. */
  diagnostics: Diagnostic[];
  /** The diagnostics with their source lines, for people. */
  report: string;
}

/** The dialect: what the official engine accepts, or only what the specification allows. */
export type Dialect = "engine" | "strict";

/** Options for functions that parse. */
export interface ParseOptions {
  /** The name of the file, for messages. A name that ends with `.json` is read as JSON syntax. */
  name?: string;
  dialect?: Dialect;
}

/** A name after a dot, or a key in brackets. */
export type Step =
  | { kind: "attribute"; range: Span; name: string }
  | { kind: "index"; range: Span; key: Expression }
  | { kind: "legacyIndex"; range: Span; text: string };

/** An expression. */
export type Expression =
  | { kind: "number"; range: Span; text: string }
  | { kind: "bool"; range: Span; value: boolean }
  | { kind: "null"; range: Span }
  | { kind: "string"; range: Span; value: string; heredoc: boolean }
  | Template
  | { kind: "list"; range: Span; elements: Expression[] }
  | { kind: "object"; range: Span; entries: Entry[] }
  | { kind: "reference"; range: Span; root: string; steps: Step[] }
  | { kind: "access"; range: Span; source: Expression; steps: Step[] }
  | { kind: "index"; range: Span; collection: Expression; key: Expression }
  | { kind: "splat"; range: Span; full: boolean; source: Expression; each: Expression }
  | { kind: "splatItem"; range: Span }
  | { kind: "call"; range: Span; name: string; arguments: Expression[]; expandsLast: boolean }
  | { kind: "parentheses"; range: Span; inner: Expression }
  | { kind: "unary"; range: Span; operator: string; operand: Expression }
  | { kind: "binary"; range: Span; operator: string; left: Expression; right: Expression }
  | { kind: "conditional"; range: Span; condition: Expression; then: Expression; else: Expression }
  | {
      kind: "for";
      range: Span;
      object: boolean;
      groups: boolean;
      keyVariable?: string;
      valueVariable: string;
      collection: Expression;
      key?: Expression;
      value: Expression;
      condition?: Expression;
    }
  | ErrorNode;

/** An entry of an object. `name` is there if the key is a bare name. */
export interface Entry {
  name?: string;
  range: Span;
  key: Expression;
  value: Expression;
}

/** A text with sequences. */
export interface Template {
  kind: "template";
  range: Span;
  heredoc: boolean;
  parts: TemplatePart[];
}

/** A part of a template. */
export type TemplatePart =
  | { kind: "literal"; range: Span; value: string }
  | { kind: "interpolation"; range: Span; expression: Expression }
  | { kind: "if"; range: Span; condition: Expression; then: Template; else?: Template }
  | { kind: "for"; range: Span; keyVariable?: string; valueVariable: string; collection: Expression; body: Template };

/** A part that cannot be read; `diagnostics` say why. */
export interface ErrorNode {
  kind: "error";
  range: Span;
}

/** An attribute: `name = value`. */
export interface Attribute {
  kind: "attribute";
  range: Span;
  name: string;
  nameRange: Span;
  value: Expression;
}

/** A block: `type "label" { … }`. */
export interface Block {
  kind: "block";
  range: Span;
  type: string;
  typeRange: Span;
  labels: { text: string; quoted: boolean; range: Span }[];
  body: Body;
}

/** The attributes and blocks of a file or block, in their order. */
export interface Body {
  kind: "body";
  range: Span;
  items: (Attribute | Block | ErrorNode)[];
}

/** A comment. */
export interface Comment {
  /** The text without its marks. */
  text: string;
  range: Span;
}

/** A parsed file. What has errors is there as far as it can be read. */
export interface ParsedFile {
  body: Body;
  comments: Comment[];
  diagnostics: Diagnostic[];
}

/** A token. Tokens of all kinds, with the space between them left out. */
export interface Token {
  kind: string;
  range: Span;
  text: string;
}

/** Options for the layout. */
export interface FormatOptions {
  /** Sort the attributes of each body by name. */
  sortAttributes?: boolean;
  /** Sort the blocks of each body by type and labels. */
  sortBlocks?: boolean;
  /** Keep at most one blank line in a row. */
  oneBlankLine?: boolean;
  /** Align the equals signs of neighbours: true by default. */
  alignment?: boolean;
  /** Also apply the rules of `terraform fmt`. */
  terraform?: boolean;
}

/** Options for conversion to JSON. */
export interface ToJsonOptions extends ParseOptions {
  /** Blocks as plain objects where possible (`collapse`), always as lists (`array`), or in a form that needs no schema to be read back (`tagged`). */
  blocks?: "collapse" | "array" | "tagged";
  /** Strings are templates for the program that reads them, or plain texts. */
  strings?: "template" | "literal";
  /** Keep comments as properties `"//"`. */
  comments?: boolean;
  /** The language: a name or the text of a schema. The full build guesses it by the name of the file. */
  schema?: string;
}

/** Options for conversion from JSON. */
export interface FromJsonOptions extends ParseOptions {
  /** Blocks by the schema, or in the form `tagged`. */
  blocks?: "schema" | "tagged";
  strings?: "template" | "literal";
  /** The language, which says what is a block: a name or the text of a schema. The full build guesses it by the name of the file. */
  schema?: string;
}

/** A converted file. */
export interface Converted {
  text: string;
  /** The number of comments that are left out. */
  commentsLeftOut: number;
  /** The types of blocks that come before others now. */
  reordered: string[];
  /** The names of attributes that may be blocks, but no schema says so. */
  maybeBlocks: string[];
  diagnostics: Diagnostic[];
}

/** A part of a file that an address names. */
export interface Match {
  /** The address of this part alone. */
  address: string;
  kind: "body" | "block" | "attribute" | "entry" | "element" | "expression";
  range: Span;
  /** The source text. */
  text: string;
  /** The source text of the value. */
  value?: string;
  valueRange?: Span;
  /** The value, if it is written out. */
  constant?: unknown;
  /** The comments above it and after it in its line. */
  comment?: string;
}

/** A place for new items. */
export interface InsertOptions {
  /** Put them first, not last. */
  start?: boolean;
  /** The address of the item after them. */
  before?: string;
  /** The address of the item before them. */
  after?: string;
  /** Allow an address of several places. */
  all?: boolean;
}

/**
 * A file in native syntax that can be edited. Everything else stays as it is: comments, layout, line ends.
 *
 * Parts are named by addresses, such as `service.web.port`, `zones[0]` or `resource[*][*].tags`.
 *
 * ```js
 * const file = new Document('service "web" {\n  port = 80 # public\n}\n');
 * file.set("service.web.port", 8080).append("service.web", "host = var.host");
 * file.text; // service "web" {\n  port = 8080 # public\n  host = var.host\n}\n
 * ```
 *
 * Methods throw an {@link HclError} and change nothing if the address is not found, or the edit cannot be made.
 */
export class Document {
  constructor(text: string, options?: { name?: string });
  readonly name: string;
  /** The text after all edits. */
  readonly text: string;
  toString(): string;
  /** Returns all parts at an address. */
  find(address: string): Match[];
  has(address: string): boolean;
  /** Returns the value at an address, if it is there once and written out. */
  get(address: string): unknown;
  /** Returns the address of the innermost part at an offset. */
  addressAt(offset: number): string | undefined;
  /** Sets a value. An attribute or entry is added if only the last name of the address is missing. */
  set(address: string, value: unknown, options?: { all?: boolean }): this;
  /** Sets a value to an expression in HCL, such as `var.region`. */
  setExpression(address: string, expression: string, options?: { all?: boolean }): this;
  /** Removes a part with its comments. */
  remove(address: string, options?: { all?: boolean }): this;
  /** Adds items in HCL to the block, object or list at an address; `.` is the file. */
  append(address: string, items: string, options?: InsertOptions): this;
  /** Moves a part with its comments beside another one, or to the end of a container. */
  move(address: string, options: { before: string } | { after: string } | { into: string }): this;
  /** Renames an attribute or entry, or sets the last label of a block. */
  rename(address: string, name: string): this;
  /** Sets the comment above a part, or after it in its line; null removes it. */
  comment(address: string, comment: string | null, options?: { trailing?: boolean; all?: boolean }): this;
}

/**
 * Loads the engine. Browsers and workers need it before anything else, and load the file beside the module by default. In
 * Node.js, Deno and Bun, the engine is loaded on first use.
 *
 * `source` is another place for it: a URL, a `Request`, a `Response` or a promise of one, bytes, or a `WebAssembly.Module`.
 */
export function init(source?: string | object): Promise<void>;

/** Returns the version of the engine. */
export function version(): string;

/** Parses a file. Errors are in `diagnostics`, not thrown. */
export function parse(text: string, options?: ParseOptions): ParsedFile;

/** Parses an expression. Errors are in `diagnostics`, not thrown. */
export function parseExpression(
  text: string,
  options?: { dialect?: Dialect },
): { expression: Expression; comments: Comment[]; diagnostics: Diagnostic[] };

/** Parses a template, without quotes around it. Errors are in `diagnostics`, not thrown. */
export function parseTemplate(
  text: string,
  options?: { dialect?: Dialect },
): { template: Template; comments: Comment[]; diagnostics: Diagnostic[] };

/** Returns the tokens of a file. */
export function tokens(text: string): Token[];

/** Returns a file in canonical layout. What has errors stays as it is. */
export function format(text: string, options?: FormatOptions): string;

/** Converts a file to JSON syntax, which programs read as the same configuration. */
export function toJson(text: string, options?: ToJsonOptions): Converted;

/** Converts a file in JSON syntax, as text or as an object, to native syntax. */
export function fromJson(json: string | object, options?: FromJsonOptions): Converted;

/** Writes a value as an expression of HCL. A BigInt is a number, and a Map an object. */
export function toHcl(value: unknown): string;

/** Returns the position of an offset in a text. */
export function positionAt(text: string, offset: number): Position;

/** Applies a fix to a text. With `file`, only its edits in this file. */
export function applyFix(text: string, fix: Fix, file?: string): string;
