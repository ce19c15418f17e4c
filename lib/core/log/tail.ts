import { open } from "node:fs/promises";

const BLOCK = 64 * 1024;
/** Maximum number of bytes read at once, however long the lines are. */
const MAX_READ = 8 * 1024 * 1024;

/**
 * Returns the last lines of a log and of its rotated files, oldest first. Files are read from their end.
 *
 * @param paths the newest file first; missing files are skipped
 */
export async function tailLines(paths: readonly string[], count: number): Promise<string[]> {
  let lines: string[] = [];
  let bytesLeft = MAX_READ;
  for (const path of paths) {
    if (lines.length >= count || bytesLeft <= 0) break;
    const text = await readEnd(path, count - lines.length, bytesLeft);
    if (text === undefined) continue;
    bytesLeft -= text.length;
    lines = [
      ...text
        .toString("utf8")
        .split("\n")
        .filter(Boolean)
        .slice(-(count - lines.length)),
      ...lines,
    ];
  }
  return lines;
}

/**
 * Reads at least the last `count` lines of one file, but at most `most` bytes. A first line that is incomplete is left
 * out.
 */
async function readEnd(path: string, count: number, maxBytes: number): Promise<Buffer | undefined> {
  const file = await open(path, "r").catch(() => undefined);
  if (!file) return undefined;
  try {
    let at = (await file.stat()).size;
    const end = at;
    let breaks = 0;
    const blocks: Buffer[] = [];
    while (at > 0 && breaks <= count && end - at < maxBytes) {
      const length = Math.min(BLOCK, at);
      const block = Buffer.alloc(length);
      const { bytesRead } = await file.read(block, 0, length, at - length);
      at -= length;
      blocks.unshift(block.subarray(0, bytesRead));
      for (let i = block.indexOf(10); i >= 0; i = block.indexOf(10, i + 1)) breaks++;
    }
    const all = Buffer.concat(blocks);
    return at === 0 ? all : all.subarray(all.indexOf(10) + 1);
  } finally {
    await file.close();
  }
}
