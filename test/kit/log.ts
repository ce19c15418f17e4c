import { Writable } from "node:stream";
import type { Clock } from "#lib/core/base/clock.ts";
import { createLog, type LogLevel, type ProgramLog } from "#lib/core/log/create-log.ts";

export type HeardLog = ProgramLog & { readonly lines: string[] };

/** The real log, which writes to an array. */
export function heardLog(
  level: LogLevel = "trace",
  scrub: (text: string) => string = (text) => text,
  clock?: Clock,
): HeardLog {
  const lines: string[] = [];
  const out = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      lines.push(chunk.trimEnd());
      done();
    },
  });
  return Object.assign(createLog({ level, scrub, out, clock }), { lines });
}
