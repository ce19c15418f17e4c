// @ts-check
/** Writes zip archives whose bytes depend only on their content. */
import JSZip from "jszip";
import { epoch } from "../release.mjs";

/** @param {import("../tar.mjs").Entry[]} files @returns {Promise<Buffer>} */
export function zip(files) {
  const archive = new JSZip();
  const date = new Date(epoch() * 1000);
  for (const { path, mode, data } of files)
    archive.file(path, /** @type {Buffer} */ (data), { date, unixPermissions: mode, createFolders: false });
  const compressionOptions = { level: 9 };
  return archive.generateAsync({ type: "nodebuffer", compression: "DEFLATE", compressionOptions, platform: "UNIX" });
}
