import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { asset } from "./asset.ts";
import { makeFolder } from "./folder.ts";

/**
 * Loads an embedded native addon. Addons load from files only, so it is written once to a 0700 cache folder under
 * its own hash, and the file's hash is checked at every load.
 *
 * @throws where no cache folder can be written (read-only home); callers fall back
 */
export function loadAddon<T>(name: string): T {
  const bytes = asset(name);
  const hash = sha256(bytes);
  const dir = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "proxy", "native");
  const file = join(dir, `${hash.slice(0, 32)}-${name}`);
  if (!holds(file, hash)) {
    makeFolder(dir);
    const temp = `${file}.${process.pid}.tmp`;
    writeFileSync(temp, bytes, { mode: 0o500 });
    renameSync(temp, file);
  }
  const module = { exports: {} as T };
  process.dlopen(module, file);
  return module.exports;
}

function holds(file: string, hash: string): boolean {
  try {
    return sha256(readFileSync(file)) === hash;
  } catch {
    return false;
  }
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
