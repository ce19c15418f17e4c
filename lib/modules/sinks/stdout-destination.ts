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
    deliver: (records, signal) => orAborted(write(records.map(({ line }) => `${line}\n`).join("")), signal),
    async close() {},
  };
}
