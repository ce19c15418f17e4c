/** A run of letters and digits with more bits per character counts as a key. */
const THRESHOLD = 4.5;
/**
 * A run cannot be a word if a larger share of its adjacent characters are of different kinds (capital, small letter,
 * digit).
 */
const MIXED = 0.48;

/** Shorter runs are not treated as key material (characters). */
const SHORTEST = 20;

/**
 * Masks a run of `[A-Za-z0-9+/_-]` if its entropy is so high that it is key material rather than a name, a path or a
 * digest. In a path, each segment is judged separately.
 */
export function maskHighEntropy(run: string, mask: (secret: string) => string): string {
  if (!isPathLike(run)) return isBlob(run) ? mask(run) : run;
  return run
    .split("/")
    .map((segment) => (segment.length >= SHORTEST && isBlob(segment) ? mask(segment) : segment))
    .join("/");
}

/**
 * Recognises key material. Entropy alone says little about 20 to 30 characters, whose maximum is near the threshold;
 * there
 * small letters, capitals and digits must also alternate more than in any name. Hexadecimal digests and UUIDs stay
 * below
 * both thresholds because of their small alphabet.
 */
function isBlob(run: string): boolean {
  if (!/[a-z]/i.test(run)) return false;
  if (isMixed(run)) return true;
  return bitsPerCharacter(run) > THRESHOLD && (/\d/.test(run) || (/[a-z]/.test(run) && /[A-Z]/.test(run)));
}

/**
 * True if at least half of the segments are words, as in `/home/user/projects/MyApp2024`. Random text has capitals
 * inside its segments.
 */
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

/** Returns the Shannon entropy in bits per character. */
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
