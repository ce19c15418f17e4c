import { opendir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

export interface Bounds {
  /** Maximum size of all files together, and of one (bytes). */
  readonly mostBytes: number;
  readonly largest: number;
}

/** Limits of what is read of one program. */
const MAX_FILES = 5000;
const MAX_ENTRIES = 50_000;
const USUAL: Bounds = { mostBytes: 32 * 1024 * 1024, largest: 1024 * 1024 };
const MAX_DEPTH = 16;

const CODE = /\.(?:[cm]?[jt]sx?|py|pyw|sh|bash|ps1|bat|cmd|rb|php|lua)$/i;
/** Folders of dependencies, and of files that are no program. */
const LEFT_OUT = new Set([
  "node_modules",
  ".git",
  ".hg",
  ".venv",
  "venv",
  "__pycache__",
  "site-packages",
  "test",
  "tests",
]);

/**
 * The source files in a folder, by relative path. Symbolic links are not followed. If the limits are exceeded, files
 * are omitted and `told.complete` becomes false.
 */
export async function* sourceFiles(
  dir: string,
  signal: AbortSignal,
  progress: { complete: boolean },
  { mostBytes, largest }: Bounds = USUAL,
): AsyncGenerator<{ path: string; size: number; text: string }> {
  const open: { path: string; depth: number }[] = [{ path: "", depth: 0 }];
  let [files, entries, bytes] = [0, 0, 0];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const folder = await opendir(join(dir, next.path)).catch(() => undefined);
    if (!folder) continue;
    for await (const entry of folder) {
      signal.throwIfAborted();
      if (++entries > MAX_ENTRIES) {
        progress.complete = false;
        return;
      }
      const path = next.path ? `${next.path}/${entry.name}` : entry.name;
      if (entry.isDirectory()) {
        if (LEFT_OUT.has(entry.name)) continue;
        if (next.depth < MAX_DEPTH) open.push({ path, depth: next.depth + 1 });
        else progress.complete = false;
        continue;
      }
      if (!entry.isFile() || !CODE.test(entry.name) || /\.d\.[cm]?ts$/.test(entry.name)) continue;
      const size = (await stat(join(dir, path)).catch(() => undefined))?.size ?? 0;
      if (files >= MAX_FILES || bytes + size > mostBytes || size > largest) {
        progress.complete = false;
        continue;
      }
      const text = await readFile(join(dir, path), "utf8").catch(() => undefined);
      if (text === undefined) continue;
      files++;
      bytes += size;
      yield { path, size, text };
    }
  }
}
