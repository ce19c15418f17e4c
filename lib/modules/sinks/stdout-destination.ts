import { once } from "node:events";
import type { Writable } from "node:stream";
import { orAborted } from "../../core/base/or-aborted.ts";
import type { Destination } from "./destination.ts";

/** Writes JSON lines to standard output. */
export function openStdoutDestination(out: Writable | undefined): Destination {
  if (!out) throw new Error("standard output is not available, because MCP or a command uses it");
  const write = (text: string) =>
    new Promise<void>((done, fail) => {
      out.write(text, (error) => (error ? fail(error) : done()));
    });
  return {
    async deliver(records, signal) {
      // Where pipes are not written at once (Windows), what an earlier attempt wrote may still wait in memory.
      if (out.writableNeedDrain) await once(out, "drain", { signal });
      await orAborted(write(records.map(({ line }) => `${line}\n`).join("")), signal);
    },
    async close() {},
  };
}
