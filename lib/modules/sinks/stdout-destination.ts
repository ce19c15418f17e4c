import type { Writable } from "node:stream";
import type { Destination } from "./destination.ts";

/** Writes JSON lines to standard output. */
export function openStdoutDestination(out: Writable | undefined): Destination {
  if (!out) throw new Error("standard output is not available, because MCP or a command uses it");
  return {
    deliver: (records, signal) =>
      new Promise((done, fail) => {
        const stop = () => fail(signal.reason);
        signal.addEventListener("abort", stop, { once: true });
        out.write(records.map(({ line }) => `${line}\n`).join(""), (error) => {
          signal.removeEventListener("abort", stop);
          if (error) fail(error);
          else done();
        });
      }),
    async close() {},
  };
}
