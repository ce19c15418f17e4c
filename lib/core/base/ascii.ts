/**
 * Writes a name as a JSON string in printable ASCII, so that invisible and look-alike characters are recognised:
 * `"gіt"` → `"g\u{456}t"`.
 */
export const asciiName = (name: string) => ascii(JSON.stringify(name));

/** Writes a text in printable ASCII; every other character becomes `\u{…}`. */
export function ascii(text: string): string {
  return text.replace(/[^ -~]/gu, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);
}
