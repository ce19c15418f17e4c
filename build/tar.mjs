// @ts-check
/**
 * Writes reproducible tar archives (POSIX ustar): sorted names, one timestamp, numeric owners. It also reads single
 * files from them.
 */
import { promisify } from "node:util";
import { gzip as zlibGzip } from "node:zlib";

/**
 * @typedef {object} Entry
 * @property {string} path without a leading slash; with a trailing one for folders
 * @property {number} mode
 * @property {Buffer} [data] absent for folders and links
 * @property {string} [link] target of a symbolic link
 * @property {number} [uid]
 * @property {number} [gid]
 */

const BLOCK = 512;

/** Compresses without file name and timestamp. @type {(bytes: Buffer) => Promise<Buffer>} */
export const gzip = promisify(/** @type {any} */ (zlibGzip));

/** @param {Entry[]} entries @param {number} mtime seconds @returns {Buffer} */
export function tar(entries, mtime) {
  const sorted = [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
  const parts = sorted.flatMap((entry) => {
    const data = entry.data ?? Buffer.alloc(0);
    return [header(entry, data.length, mtime), data, Buffer.alloc(-data.length & (BLOCK - 1))];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

/** Adds the parent folders of the files. @param {Entry[]} files @param {string} [root] @returns {Entry[]} */
export function withFolders(files, root = "") {
  /** @type {Map<string, Entry>} */
  const all = new Map(files.map((f) => [f.path, f]));
  for (const { path } of files) {
    const names = path.replace(/\/$/, "").split("/").slice(0, -1);
    names.forEach((_, i) => {
      const folder = `${names.slice(0, i + 1).join("/")}/`;
      if (folder !== root && !all.has(folder)) all.set(folder, { path: folder, mode: 0o755 });
    });
  }
  return [...all.values()];
}

/** @param {Entry} entry @param {number} size @param {number} mtime */
function header({ path, mode, link, uid = 0, gid = 0 }, size, mtime) {
  const block = Buffer.alloc(BLOCK);
  const [prefix, name] = split(path);
  const octal = (/** @type {number} */ n, /** @type {number} */ width) => `${n.toString(8).padStart(width - 1, "0")}\0`;
  const type = link !== undefined ? "2" : path.endsWith("/") ? "5" : "0";
  /** @type {[number, string][]} */
  const fields = [
    [0, name],
    [100, octal(mode, 8)],
    [108, octal(uid, 8)],
    [116, octal(gid, 8)],
    [124, octal(size, 12)],
    [136, octal(mtime, 12)],
    [148, " ".repeat(8)],
    [156, type],
    [157, link ?? ""],
    [257, "ustar\x0000"],
    [345, prefix],
  ];
  for (const [at, text] of fields) block.write(text, at, "latin1");
  block.write(
    octal(
      block.reduce((sum, byte) => sum + byte, 0),
      7,
    ),
    148,
    "latin1",
  );
  return block;
}

/** Splits a long path into its two header fields. @param {string} path @returns {[prefix: string, name: string]} */
function split(path) {
  if (path.length <= 100) return ["", path];
  const at = path.indexOf("/", path.length - 101);
  if (at < 0 || at > 155) throw new Error(`too long for a tar archive: ${path}`);
  return [path.slice(0, at), path.slice(at + 1)];
}

/** Reads one file of an archive. @param {Buffer} archive @param {string} wanted @returns {Buffer | undefined} */
export function fromTar(archive, wanted) {
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const text = (/** @type {number} */ from, /** @type {number} */ to) =>
      archive.toString("latin1", at + from, at + to).replace(/\0.*$/s, "");
    const size = Number.parseInt(text(124, 136).trim() || "0", 8);
    const prefix = text(345, 500);
    if ((prefix ? `${prefix}/${text(0, 100)}` : text(0, 100)) === wanted)
      return archive.subarray(at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return undefined;
}
