import type { Readable } from "node:stream";
import { LineSplitter } from "../../core/upstream/stdio/line-splitter.ts";

interface LineReader {
  /** Called for each line; the next line waits for the returned promise, which never rejects. */
  take(line: string): Promise<void> | void;
  /** Called for a line above the maximum length. */
  tooLong(): void;
  readonly signal: AbortSignal;
}

/** Maximum number of lines that are read ahead. */
const MAX_AHEAD = 100;

/** Longest line; the proxy accepts no larger message (bytes). */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Reads lines until the input ends or the signal aborts; resolves when every line read has been taken. */
export async function readLines(input: Readable, { take, tooLong, signal }: LineReader): Promise<void> {
  let ahead = 0;
  let last = Promise.resolve();
  const line = (text: string) => {
    if (text.trim() === "") return;
    if (++ahead > MAX_AHEAD) input.pause();
    last = last.then(async () => {
      if (!signal.aborted) await take(text);
      if (--ahead <= MAX_AHEAD && input.isPaused()) input.resume();
    });
  };
  const lines = new LineSplitter({ line, tooLong }, MAX_LINE_BYTES);
  await new Promise<void>((over) => {
    input.on("data", (chunk: Buffer) => lines.feed(chunk));
    input.on("end", () => lines.end());
    input.on("close", over).on("end", over).on("error", over);
    if (signal.aborted) over();
    else signal.addEventListener("abort", () => over(), { once: true });
  });
  await last;
}
