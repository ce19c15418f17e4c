import type { Readable } from "node:stream";
import { systemClock as clock } from "../../base/clock.ts";
import { LineSplitter } from "./line-splitter.ts";
import { limitLineRate, OutputThrottle } from "./throttle.ts";

const LINE_BYTES = 64 * 1024;
const BOUND = { lines: 200, windowMs: 1000 };
/** How much of the last output is kept, for the message when the program ends. */
const LAST = { lines: 3, characters: 300 };

interface ReadOutputOptions {
  /** Replaces the values of references in a text. */
  mask(text: string): string;
  /** Called with each line, masked. */
  onLine(line: string): void;
}

/**
 * Reads the output that a program writes for people, at a limited rate, for its log.
 *
 * @returns a function that returns its last lines as one text
 */
export function readOutput(stream: Readable, { mask, onLine }: ReadOutputOptions): () => string {
  const gate = new OutputThrottle(clock, stream);
  const write = limitLineRate(clock, BOUND, onLine);
  const last: string[] = [];
  const line = (text: string) => {
    gate.tick();
    if (text.trim() === "") return;
    const masked = mask(text);
    write(masked);
    last.push(masked.slice(0, LAST.characters));
    if (last.length > LAST.lines) last.shift();
  };
  const lines = new LineSplitter({ line, tooLong: (head) => line(`${head}…`) }, LINE_BYTES);
  stream.on("data", (chunk: Buffer) => lines.feed(chunk));
  stream.on("end", () => lines.end());
  stream.on("error", () => {});
  return () => last.join(" | ");
}
