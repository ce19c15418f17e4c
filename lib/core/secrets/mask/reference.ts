/** `${env:NAME}` or `${keyring:NAME}`, as a part of other expressions. */
export const REFERENCE = "\\$\\{(?:env|keyring):[^{}\\r\\n]{1,256}\\}";

const WHOLE = new RegExp(`^${REFERENCE}$`);
const PIECES = new RegExp(`(${REFERENCE})`);

/** Whether a value is a secret reference and nothing else; such a value passes unchanged (spec 000 §2.9 rule 2). */
export function isReference(value: string): boolean {
  return WHOLE.test(value);
}

/** Splits a text into its references and the text between them, in order, without empty pieces. */
export function splitReferences(text: string): { text: string; reference: boolean }[] {
  return text
    .split(PIECES)
    .map((piece, i) => ({ text: piece, reference: i % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}
