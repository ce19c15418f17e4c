// @ts-check
/**
 * Packs files into one asset: an index as one line of JSON, then the compressed files (`lib/core/api/packed-files.ts`
 * reads it). One file can be replaced atomically, so no browser gets files of two versions.
 */
import { gzipSync } from "node:zlib";

/** @type {Record<string, string>} */
const TYPES = {
  js: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
  html: "text/html",
  json: "application/json",
  yml: "application/yaml",
};

/** @param {Iterable<[name: string, bytes: Uint8Array]>} files */
export function pack(files) {
  /** @type {Record<string, { type: string, at: number, length: number }>} */
  const index = {};
  const bodies = [];
  let at = 0;
  for (const [name, bytes] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const packed = gzipSync(bytes, { level: 9 });
    index[name] = { type: TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "text/plain", at, length: packed.length };
    bodies.push(packed);
    at += packed.length;
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...bodies]);
}
