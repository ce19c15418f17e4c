import { bitsPerCharacter, isPathLike } from "../../core/secrets/mask/entropy.ts";

/** Lengths of a run that can be a secret. A longer one is an image or another encoded file (characters). */
export const SHORTEST_KEY = 20;
export const MAX_KEY = 256;

/** Labelled digests, as in lock files; they are public. */
const DIGEST = /^(?:sha(?:1|256|384|512)|md5)[-_:=]/i;

/**
 * Whether a run of `[A-Za-z0-9+/=_-]`, on one or several lines, has enough entropy per character for key material and
 * is no path, digest or name.
 */
export function isKeyMaterial(run: string, threshold: number): boolean {
  if (run.length > MAX_KEY || DIGEST.test(run) || isPathLike(run)) return false;
  if (!/\d/.test(run) || !/[a-z]/.test(run) || !/[A-Z]/.test(run)) return false;
  // Words joined by hyphens or underscores are a name, however many letters it has.
  if (run.split(/[-_/]/).every((part) => /^(?:[A-Za-z]?[a-z]*|[A-Z]*)\d{0,4}$/.test(part))) return false;
  return bitsPerCharacter(run) > threshold;
}
