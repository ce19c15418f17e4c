/** The bits of all kinds of characters that key material contains. */
export const ALL_KINDS = 7;

// The properties of a character as bits: it continues a run, is a letter or digit, is a base64 character, its kind, and
// what it can indicate.
export const RUN = 1;
export const WORD = 2;
export const BASE = 4;
export const KINDS = 3;
export const TELLS = 6;
export const [DIGIT, ASSIGN, HYPHEN, UNDERSCORE, AT, LETTER_B, LETTER_K, DOT, SLASH, QUOTE] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
];

/** The bits of each character, by its code. */
export const SORTS = sorts();

function sorts(): Uint16Array {
  const table = new Uint16Array(65_536);
  const mark = (characters: string, bits: number) => {
    for (const character of characters) table[character.charCodeAt(0)]! |= bits;
  };
  const [upper, lower, digits] = ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789"];
  mark(upper + lower + digits, RUN | WORD | BASE);
  mark("_.+/=:@%~!*&?#$-", RUN);
  mark("+/=_-", BASE);
  mark(upper, 1 << KINDS);
  mark(lower, 2 << KINDS);
  mark(digits, 4 << KINDS);
  const tells: [string, number][] = [
    [digits, DIGIT],
    ["=:", ASSIGN],
    ["-", HYPHEN],
    ["_", UNDERSCORE],
    ["@", AT],
    ["bB", LETTER_B],
    ["kK", LETTER_K],
    [".", DOT],
    ["/\\", SLASH],
    ["\"'", QUOTE],
  ];
  for (const [characters, tell] of tells) mark(characters, tell << TELLS);
  return table;
}

/** True if the character at this index can be part of a token such as an API key. */
export function inRun(text: string, at: number): boolean {
  return at < text.length && (SORTS[text.charCodeAt(at)]! & RUN) !== 0;
}

/** True if the character at this index is a letter, a digit or `_`. */
export function isWord(text: string, at: number): boolean {
  return (SORTS[text.charCodeAt(at)]! & WORD) !== 0;
}
