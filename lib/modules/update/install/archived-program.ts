import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** Largest program in an archive (bytes). */
const MAX_BYTES = 768 * 1024 * 1024;
const BLOCK = 512;

/**
 * Returns the program in a release archive (`…/bin/proxy` in a gzipped POSIX tar).
 *
 * @throws Error if the archive is damaged or has no program
 */
export async function archivedProgram(archive: Uint8Array, platform: NodeJS.Platform): Promise<Buffer> {
  const wanted = platform === "win32" ? "/bin/proxy.exe" : "/bin/proxy";
  const tar = await promisify(gunzip)(archive, { maxOutputLength: MAX_BYTES });
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const text = (from: number, to: number) => tar.toString("utf8", at + from, at + to).replace(/\0.*$/s, "");
    const [name, prefix, type] = [text(0, 100), text(345, 500), text(156, 157)];
    if (name === "") break;
    const size = Number.parseInt(text(124, 136), 8);
    if (!Number.isSafeInteger(size) || at + BLOCK + size > tar.length) throw new Error("the archive is damaged");
    const path = prefix === "" ? name : `${prefix}/${name}`;
    const isFile = type === "0" || type === "";
    if (isFile && path.endsWith(wanted)) return tar.subarray(at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw new Error(`the archive has no program ${wanted.slice(1)}`);
}
