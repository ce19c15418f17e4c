// @ts-check
/**
 * The files that are embedded in the executable, as one piece. Node reads the length of each embedded asset at its start,
 * and of one asset instead of forty it uses few pages of the executable.
 */
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";

/** In the loader, until the executable is made; the position that replaces it has spaces behind it. */
export const POSITION = "payload begins at...";

/**
 * @typedef {object} Payload
 * @property {string} id what it begins with, by which the loader sees whether it reads the right bytes
 * @property {Record<string, [at: number, bytes: number]>} files
 */

/**
 * @param {Record<string, string>} paths name to path @param {string} out
 * @returns {Payload}
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

/** Tells the loader in an executable where the payload is. @param {string} executable @param {Payload} payload */
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
