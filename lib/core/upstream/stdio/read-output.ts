import type { Readable } from "node:stream";
import { systemClock as clock } from "../../base/clock.ts";
import { LineSplitter } from "./line-splitter.ts";
import { limitLineRate, OutputThrottle } from "./throttle.ts";

const LINE_BYTES = 64 * 1024;
const BOUND = { lines: 200, windowMs: 1000 };
/** How much of the last output is kept, for the message when the program ends. */
const LAST = { lines: 3, characters: 300 };
/** Lines that often follow the reason of an end: stack frames, Node's version, closing brackets, npm's advice. */
const SAYS_NOTHING =
  /^\s*at \S|^[^\p{L}]*$|^Node\.js v\d|^npm (?:notice|(?:error|ERR!)(?: \d{3})?(?:\s*$| (?:code|errno) | Note that you can also install| tarball, folder| A complete log of this run))/u;
/** The line that names an error, which Node and others follow with details: `TypeError: x is not a function`. */
const NAMES_ERROR = /^\s*(?:[\w.]+\.)?\w*(?:Error|Exception)\b[^:]{0,80}: \S/;

interface ReadOutputOptions {
  /** Replaces the values of references in a text. */
  mask(text: string): string;
  /** Called with each line, masked. */
  onLine(line: string): void;
}

/**
 * Reads the output that a program writes for people, at a limited rate, for its log.
 *
 * @returns a function that returns its last lines that may name a reason, as one text, after the error that was
 *   named before them
 */
export function readOutput(stream: Readable, { mask, onLine }: ReadOutputOptions): () => string {
  const gate = new OutputThrottle(clock, stream);
  const write = limitLineRate(clock, BOUND, onLine);
  const last: string[] = [];
  let named: string | undefined;
  const line = (text: string) => {
    gate.tick();
    if (text.trim() === "") return;
    const masked = mask(text);
    write(masked);
    const beginning = masked.slice(0, LAST.characters);
    if (SAYS_NOTHING.test(beginning)) return;
    if (NAMES_ERROR.test(beginning)) named = beginning.trim();
    last.push(beginning);
    if (last.length > LAST.lines) last.shift();
  };
  const lines = new LineSplitter({ line, tooLong: (head) => line(`${head}…`) }, LINE_BYTES);
  stream.on("data", (chunk: Buffer) => lines.feed(chunk));
  stream.on("end", () => lines.end());
  stream.on("error", () => {});
  return () =>
    (named === undefined || last.some((text) => NAMES_ERROR.test(text)) ? last : [named, ...last]).join(" | ");
}
