// Positions in texts.

/** Returns the position of an offset: line and column from 1. */
export function positionAt(text, offset) {
  const before = text.slice(0, Math.max(0, offset));
  const start = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let at = before.indexOf("\n"); at !== -1; at = before.indexOf("\n", at + 1)) line += 1;
  return { offset: before.length, line, column: before.length - start + 1 };
}

/** Applies the edits of a fix to a text. Those in other files are left out. */
export function applyFix(text, fix, file) {
  const own = fix.edits.filter((edit) => file === undefined || edit.file === file);
  const last = [...own].sort((a, b) => b.range.start.offset - a.range.start.offset);
  return last.reduce((all, { range, text: fresh }) => all.slice(0, range.start.offset) + fresh + all.slice(range.end.offset), text);
}
