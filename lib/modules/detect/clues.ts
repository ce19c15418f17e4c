/** Three characters as a number, capitals like small letters. */
function packed(text: string, at: number): number {
  return ((text.charCodeAt(at) | 32) << 16) | ((text.charCodeAt(at + 1) | 32) << 8) | (text.charCodeAt(at + 2) | 32);
}

const clue = (word: string) => packed(word, 0);
const clues = (words: string) => new Set(words.split(" ").map(clue));

const EAR = clue("ear");
const UBE = clue("ube");
const PGP = clue("pgp");
/** How names of secret files go on after a dot. */
const AFTER_DOT = clues("ssh aws azu kub doc env git npm pyp net pgp key pem ppk p12 pfx kdb jks");
/** Last letters of the directories they are in. */
const BEFORE_SLASH = clues("oud ary oft m32 etc");
/** How their words go on after a hyphen or an underscore. */
const AFTER_JOINT = clues("net def acc");

/** Whether `Bearer` may stand here, at its first letter. */
export function isBearer(text: string, at: number): boolean {
  return packed(text, at + 1) === EAR;
}

/** Whether one of the expressions of `files.ts` may match around this character; each has one of these in it. */
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
