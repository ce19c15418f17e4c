/** Splits a command line into words; quotes keep spaces, a backslash keeps the next character. */
export function words(line: string): string[] {
  const found: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const c = line[i] ?? "";
    if (quote !== "") {
      if (c === quote) quote = "";
      else if (c === "\\" && quote === '"' && /["\\]/.test(line[i + 1] ?? "")) word = (word ?? "") + line[++i];
      else word = (word ?? "") + c;
    } else if (c === '"' || c === "'") {
      quote = c;
      word ??= "";
    } else if (c === "\\" && /[\s"'\\]/.test(line[i + 1] ?? "")) word = (word ?? "") + line[++i];
    else if (/\s/.test(c)) {
      if (word !== undefined) found.push(word);
      word = undefined;
    } else word = (word ?? "") + c;
  }
  if (word !== undefined) found.push(word);
  return found;
}

/** Joins words to a line that `words` splits again. */
export const line = (all: readonly string[]): string =>
  all.map((w) => (/^[^\s"'\\]+$/.test(w) ? w : `"${w.replaceAll(/["\\]/g, "\\$&")}"`)).join(" ");

/** Parses `NAME=value` lines; empty lines and those starting with `#` are ignored. */
export function pairs(text: string, between: "=" | ":"): Record<string, string> {
  const lines = text
    .split("\n")
    .map((l) => l.trim())
    .filter((l) => l !== "" && !l.startsWith("#"));
  return Object.fromEntries(
    lines.map((l) => {
      const at = l.indexOf(between);
      return at < 0 ? [l, ""] : [l.slice(0, at).trim(), l.slice(at + 1).trim()];
    }),
  );
}
