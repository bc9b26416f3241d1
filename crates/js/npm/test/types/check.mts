// A program that reports the errors in files and applies their safe fixes.
import { applyFix, check, HclError, parse, positionAt, type Diagnostic, type Expression } from "hcl-lr";

const files: Record<string, string> = { "main.tf": "a = [1 2]\n" };
const found: Diagnostic[] = check(files, { schema: "terraform", values: false });
for (const { severity, file, range, summary, detail, fixes } of found) {
  console.log(`${severity}: ${file}:${range.start.line}:${range.start.column}: ${summary} ${detail}`);
  const fix = fixes.find((fix) => fix.safe);
  if (fix) files[file] = applyFix(files[file] ?? "", fix, file);
}

/** Counts the calls in an expression: the kinds are a union that the compiler narrows. */
function calls(expression: Expression): number {
  switch (expression.kind) {
    case "call":
      return 1 + expression.arguments.reduce((sum, argument) => sum + calls(argument), 0);
    case "binary":
      return calls(expression.left) + calls(expression.right);
    case "template":
      return expression.parts.reduce((sum, part) => sum + (part.kind === "interpolation" ? calls(part.expression) : 0), 0);
    default:
      return 0;
  }
}

const { body } = parse("a = f(1)\n", { dialect: "strict" });
for (const item of body.items) {
  if (item.kind === "attribute") console.log(item.name, calls(item.value), positionAt("", item.range[0]).line);
  if (item.kind === "block") console.log(item.type, item.labels.map((label) => label.text));
}

try {
  check("", { schema: "none" });
} catch (error) {
  if (error instanceof HclError) console.log(error.report, error.diagnostics.length);
}

// @ts-expect-error: there is no such dialect
parse("", { dialect: "old" });
