import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { asset } from "./asset.ts";
import { makeFolder } from "./folder.ts";

/**
 * Loads an embedded native addon. Node loads addons from files only, so the addon is written once to a 0700 cache
 * folder, under a name that contains its hash. The hash of the file is checked at every load.
 *
 * @throws if no cache folder can be written (read-only home); callers then do without the addon
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
