// @ts-check
/**
 * The payload: all files that are embedded in the executable, joined to one asset. Node reads the length of each asset
 * when it starts; with one asset instead of forty, fewer pages of the executable become resident.
 */
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";

/** Placeholder in the loader. The position of the payload replaces it, padded with spaces. */
export const POSITION = "payload begins at...";

/**
 * @typedef {object} Payload
 * @property {string} id the first bytes of the payload; they show the loader whether it reads at the right position
 * @property {Record<string, [at: number, bytes: number]>} files
 */

/**
 * Writes the payload.
 * @param {Record<string, string>} paths the paths of the files, by their names in the payload
 * @param {string} out the path of the payload
 * @returns {Payload} its id, and position and size of each file
 */
export function writePayload(paths, out) {
  const names = Object.keys(paths).sort();
  const contents = names.map((name) => readFileSync(/** @type {string} */ (paths[name])));
  const hash = createHash("sha256");
  for (const bytes of contents) hash.update(createHash("sha256").update(bytes).digest());
  const id = hash.digest("hex");
  /** @type {Payload["files"]} */
  const files = {};
  let at = id.length;
  for (const [i, name] of names.entries()) {
    const bytes = contents[i]?.length ?? 0;
    files[name] = [at, bytes];
    at += bytes;
  }
  writeFileSync(out, Buffer.concat([Buffer.from(id), ...contents]));
  return { id, files };
}

/** Writes the position of the payload into the loader of an executable. @param {string} executable @param {Payload} payload */
export function writePosition(executable, { id }) {
  const bytes = readFileSync(executable);
  const place = bytes.indexOf(POSITION);
  // The loader, which is before the payload, has the id too.
  const at = bytes.lastIndexOf(id);
  if (place < 0 || bytes.indexOf(POSITION, place + 1) > 0 || at < place)
    throw new Error("the executable lacks its loader or its payload, or has them in another order: see build/sea.mjs");
  const fd = openSync(executable, "r+");
  try {
    writeSync(fd, String(at).padEnd(POSITION.length), place, "latin1");
  } finally {
    closeSync(fd);
  }
}
