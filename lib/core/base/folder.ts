import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder and its missing parents. Node's recursive mkdir never returns if a parent exists but the system
 * reports ENOENT nevertheless, as in `/proc`.
 *
 * @throws the system's error for the first folder that cannot be made: EEXIST if a file has its name, ENOTDIR below a file
 */
export function makeFolder(dir: string, mode = 0o700): void {
  const path = resolve(dir);
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (!existsSync(parent)) makeFolder(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made the folder at the same moment.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
