// Errors of the engine.

/** An error with the diagnostics behind it. */
export class HclError extends Error {
  constructor(message, diagnostics = [], report = "") {
    super(message);
    this.name = "HclError";
    this.diagnostics = diagnostics;
    this.report = report;
  }
}

/** Makes an error of what the engine throws: JSON for an error in the input, anything else for a defect. */
export function errorOf(thrown) {
  if (typeof thrown !== "string") return thrown;
  const { message, diagnostics, report } = JSON.parse(thrown);
  return new HclError(message, diagnostics, report);
}
