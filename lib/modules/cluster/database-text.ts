const ESCAPE = "\x10";
const UNSTORABLE = /[\0\x10]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/**
 * Returns a text that PostgreSQL can store: NUL is escaped (by U+0010), and half a surrogate pair, which has no UTF-8
 * form, becomes U+FFFD.
 */
export function databaseText(text: string): string {
  if (!UNSTORABLE.test(text)) return text;
  return Buffer.from(text, "utf8")
    .toString("utf8")
    .replace(/[\0\x10]/g, (char) => ESCAPE + (char === "\0" ? "0" : "1"));
}

/** Reverses the escapes of `databaseText`. */
export function textOfDatabase(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replace(/\x10([01])/g, (_, digit) => (digit === "0" ? "\0" : ESCAPE));
}
