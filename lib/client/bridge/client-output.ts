import type { Writable } from "node:stream";

/** Unread output beyond which nothing more is read, from the client or from the proxy (bytes). */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/** The messages to the client, one a line. */
export interface ClientOutput {
  /** @param text JSON text of one message */
  write(text: string): void;
  /** Resolves when the client has read enough; undefined if it has. */
  pace(): Promise<void> | undefined;
  /** Resolves when the client has read everything, or has closed its end. */
  written(): Promise<void>;
}

export function createClientOutput(output: Writable): ClientOutput {
  // What reads the output may go at any time; the end of the input then ends the bridge.
  output.on("error", () => {});
  return {
    write(text) {
      if (output.destroyed) return;
      // A line break in JSON can only stand between tokens.
      output.write(`${/[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, " ") : text}\n`);
    },
    pace: () => (output.writableLength > MAX_UNREAD_BYTES && !output.destroyed ? drained(output) : undefined),
    async written() {
      if (output.writableLength > 0 && !output.destroyed) await drained(output);
    },
  };
}

function drained(output: Writable): Promise<void> {
  return new Promise((done) => {
    const over = () => {
      for (const event of EVENTS) output.off(event, over);
      done();
    };
    for (const event of EVENTS) output.on(event, over);
  });
}

const EVENTS = ["drain", "close", "error"] as const;
