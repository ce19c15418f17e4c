import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder and its missing parents. Node's own recursive mkdir never returns where a parent exists and the system
 * answers ENOENT all the same, as in `/proc`.
 *
 * @throws the system's error for the first folder that cannot be made; ENOTDIR where a file has the name
 */
export function makeFolder(dir: string, mode = 0o700): void {
  const path = resolve(dir);
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it in the same moment.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
