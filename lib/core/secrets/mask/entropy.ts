/** Bits per character above which a run of letters and digits counts as a key. */
const THRESHOLD = 4.5;
/** Share of adjacent characters of different kinds (capital, small letter, digit) above which a run cannot be a word. */
const MIXED = 0.48;

/** Shortest run that can be key material (characters). */
const SHORTEST = 20;

/**
 * Masks a run of `[A-Za-z0-9+/_-]` that is a high-entropy blob: key material rather than a name, a path or a digest;
 * in a path, those of its segments that are one.
 */
export function maskHighEntropy(run: string, mask: (secret: string) => string): string {
  if (!isPathLike(run)) return isBlob(run) ? mask(run) : run;
  return run
    .split("/")
    .map((segment) => (segment.length >= SHORTEST && isBlob(segment) ? mask(segment) : segment))
    .join("/");
}

/**
 * Entropy alone says little about 20 to 30 characters, whose maximum is near the threshold; there it counts that small
 * letters, capitals and digits alternate as they do in no name. Hexadecimal digests and UUIDs are below both by their
 * alphabet.
 */
function isBlob(run: string): boolean {
  if (!/[a-z]/i.test(run)) return false;
  if (isMixed(run)) return true;
  return bitsPerCharacter(run) > THRESHOLD && (/\d/.test(run) || (/[a-z]/.test(run) && /[A-Z]/.test(run)));
}

/** Half or more of the segments are words, as in `/home/user/projects/MyApp2024`; random text has capitals inside. */
export function isPathLike(run: string): boolean {
  const segments = run.split("/").filter(Boolean);
  if (segments.length < 2) return false;
  const words = segments.filter((s) => s.length <= 2 || /^[A-Z]?[a-z0-9_-]*$/.test(s) || /^[A-Z_-]*$/.test(s));
  return words.length * 2 >= segments.length;
}

function isMixed(run: string): boolean {
  const kinds = run
    .replace(/[^A-Za-z0-9]+/g, "")
    .replace(/[a-z]/g, "a")
    .replace(/[A-Z]/g, "A")
    .replace(/\d/g, "0");
  if (!kinds.includes("a") || !kinds.includes("A") || !kinds.includes("0")) return false;
  let changes = 0;
  for (let i = 1; i < kinds.length; i++) if (kinds[i] !== kinds[i - 1]) changes++;
  return changes >= MIXED * (kinds.length - 1);
}

/** Shannon entropy in bits per character. */
export function bitsPerCharacter(text: string): number {
  const counts = new Map<number, number>();
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    counts.set(c, (counts.get(c) ?? 0) + 1);
  }
  let bits = 0;
  for (const n of counts.values()) bits -= (n / text.length) * Math.log2(n / text.length);
  return bits;
}
