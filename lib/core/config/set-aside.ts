import { createFileDurably } from "../base/file.ts";

/** Keeps an invalid text of the configuration file in a file beside it. @returns the path of that file */
export async function setAside(path: string, text: string, now: number): Promise<string> {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, "");
  for (let n = 1; ; n++) {
    const copy = `${path}.broken-${stamp}${n === 1 ? "" : `-${n}`}`;
    if (await createFileDurably(copy, text)) return copy;
  }
}
