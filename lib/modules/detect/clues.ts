/** Packs three characters into a number, ignoring case. */
function packed(text: string, at: number): number {
  return ((text.charCodeAt(at) | 32) << 16) | ((text.charCodeAt(at + 1) | 32) << 8) | (text.charCodeAt(at + 2) | 32);
}

const clue = (word: string) => packed(word, 0);
const clues = (words: string) => new Set(words.split(" ").map(clue));

const EAR = clue("ear");
const UBE = clue("ube");
const PGP = clue("pgp");
/** The first three characters after the dot of names of secret files. */
const AFTER_DOT = clues("ssh aws azu kub doc env git npm pyp net pgp key pem ppk p12 pfx kdb jks");
/** The last letters of the directories that contain them. */
const BEFORE_SLASH = clues("oud ary oft m32 etc");
/** The letters after a hyphen or underscore in their names. */
const AFTER_JOINT = clues("net def acc");

/** Whether `Bearer` can start at this position. */
export function isBearer(text: string, at: number): boolean {
  return packed(text, at + 1) === EAR;
}

/**
 * Whether an expression of `files.ts` can match around this character. Every match contains at least one such
 * character.
 */
export function tellsFile(text: string, at: number): boolean {
  const after = packed(text, at + 1);
  switch (text[at]) {
    case "k":
    case "K":
      return after === UBE;
    case ".":
      return AFTER_DOT.has(after);
    case "-":
    case "_":
      return AFTER_JOINT.has(after);
    case "/":
    case "\\":
      return after === PGP || BEFORE_SLASH.has(packed(text, at - 3));
    default:
      return after === PGP;
  }
}
