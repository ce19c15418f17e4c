import { createFileDurably } from "../base/file.ts";

/** Keeps a text of the configuration file that cannot be used, beside the file. @returns the path it is kept under */
export async function setAside(path: string, text: string, now: number): Promise<string> {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, "");
  for (let n = 1; ; n++) {
    const copy = `${path}.broken-${stamp}${n === 1 ? "" : `-${n}`}`;
    if (await createFileDurably(copy, text)) return copy;
  }
}
