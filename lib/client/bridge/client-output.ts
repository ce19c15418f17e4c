import type { Writable } from "node:stream";
import { orAborted } from "../../core/base/or-aborted.ts";

/** Maximum unread output; beyond it nothing is read from the client or the proxy (bytes). */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/** The messages to the client, one per line. */
export interface ClientOutput {
  /** @param text JSON text of one message */
  write(text: string): void;
  /** Resolves when enough output is read, or the bridge ends; undefined if enough is read already. */
  pace(): Promise<void> | undefined;
  /** Resolves when the client has read everything, or has closed its end. */
  written(): Promise<void>;
}

/** @param signal aborted when the bridge ends */
export function createClientOutput(output: Writable, signal: AbortSignal): ClientOutput {
  // The reader may end at any time; the end of the input then ends the bridge.
  output.on("error", () => {});
  return {
    write(text) {
      if (output.destroyed) return;
      // In JSON, a line break can only occur between tokens.
      output.write(`${/[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, " ") : text}\n`);
    },
    pace: () =>
      output.writableLength > MAX_UNREAD_BYTES && !output.destroyed
        ? orAborted(drained(output), signal).catch(() => {})
        : undefined,
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
