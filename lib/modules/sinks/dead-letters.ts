import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { rfc3339 } from "../../core/base/clock.ts";
import { makeFolder } from "../../core/base/folder.ts";
import type { SinkRecord } from "./sink-record.ts";

/** Largest size of the file; further records are dropped and counted as lost. (bytes) */
const MAX_BYTES = 64 * 1024 * 1024;

/** The file with the records that a sink's receiver rejected. */
export interface DeadLetters {
  readonly path: string;
  /** Appends a record with the reason. @returns false if the file is full */
  add(record: SinkRecord, reason: string, now: number): Promise<boolean>;
}

export function deadLetters(dataDir: string, sink: string): DeadLetters {
  const path = join(dataDir, "sinks", `${sink}.rejected.jsonl`);
  return {
    path,
    async add({ kind, line }, reason, now) {
      makeFolder(dirname(path));
      const head = JSON.stringify({ rejected_at: rfc3339(now), reason, kind });
      const text = `${head.slice(0, -1)},"record":${line}}\n`;
      const file = await open(path, "a+", 0o600);
      try {
        const { size } = await file.stat();
        if (size + Buffer.byteLength(text) > MAX_BYTES) return false;
        // A crash or a full disk may have left a part of a line.
        const { buffer } = await file.read(Buffer.alloc(1, "\n"), 0, 1, Math.max(0, size - 1));
        await file.appendFile(buffer[0] === 0x0a ? text : `\n${text}`);
        await file.datasync();
        return true;
      } finally {
        await file.close();
      }
    },
  };
}
