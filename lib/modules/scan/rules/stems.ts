/** Maximum number of words that are read. */
const MAX_WORDS = 120;
/** Length of a stem (characters); the ending of a longer word is ignored. */
const STEM = 6;

/** Hashes of a text's words, or of pairs of characters in scripts without spaces. */
export function stemsOf(text: string): number[] {
  const stems: number[] = [];
  let hash = 0;
  let length = 0;
  const close = () => {
    if (length > 0) stems.push(hash);
    hash = 0;
    length = 0;
  };
  for (let i = 0; i < text.length && stems.length < MAX_WORDS; i++) {
    const code = text.charCodeAt(i);
    if (isUnspaced(code)) {
      close();
      stems.push(mixHash(mixHash(0, code), text.charCodeAt(i + 1) || 0));
    } else if (isHangul(code)) {
      // Korean adds endings to words: only the first two syllables count.
      if (length++ < 2) hash = mixHash(hash, code);
    } else if (isWord(code)) {
      if (length++ < STEM) hash = mixHash(hash, isDigit(code) ? 48 : code);
    } else close();
  }
  close();
  return stems;
}

/** Whether the character belongs to a script without spaces: Chinese, Japanese, Thai, Lao. */
function isUnspaced(code: number): boolean {
  return (code >= 0x3040 && code < 0xac00) || (code >= 0xe00 && code < 0xf00);
}

function isHangul(code: number): boolean {
  return code >= 0xac00 && code < 0xd7b0;
}

function isDigit(code: number): boolean {
  return code > 47 && code < 58;
}

function isWord(code: number): boolean {
  return code < 128 ? (code > 96 && code < 123) || isDigit(code) || code === 39 : code > 0xbf && code < 0x2000;
}

/** Mixes a value into a hash. */
export function mixHash(hash: number, value: number): number {
  return (Math.imul(hash ^ (value + 0x9e3779b9), 0x01000193) ^ (hash >>> 11)) | 0;
}
