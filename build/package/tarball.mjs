// @ts-check
/** Builds the plain archives of one target, to be unpacked anywhere or into /usr/local. */
import { epoch, version } from "../release.mjs";
import { gzip, tar, withFolders } from "../tar.mjs";
import { installed } from "./tree.mjs";
import { zip } from "./zip.mjs";

/**
 * @param {string} target @param {Buffer} executable @param {import("./tree.mjs").Pages} pages
 * @returns {Promise<{ name: string, bytes: Buffer }>}
 */
export async function tarball(target, executable, pages) {
  const top = `proxy-${version}-${target}`;
  const files = await installed({ target, executable, channel: "tarball", pages });
  const entries = withFolders(files.map((f) => ({ ...f, path: `${top}/${f.path}` })));
  return { name: `${top}.tar.gz`, bytes: await gzip(tar(entries, epoch())) };
}

/**
 * The same as zip, which Windows and its package managers unpack by themselves.
 * @param {string} target @param {Buffer} executable @param {import("./tree.mjs").Pages} pages
 * @returns {Promise<{ name: string, bytes: Buffer }>}
 */
export async function zipArchive(target, executable, pages) {
  const top = `proxy-${version}-${target}`;
  const files = await installed({ target, executable, channel: "tarball", pages });
  return { name: `${top}.zip`, bytes: await zip(files.map((f) => ({ ...f, path: `${top}/${f.path}` }))) };
}
