import { join } from "node:path";
import { readBoundedFile, writeFileDurably } from "#lib/core/base/file.ts";
import { isJsonObject } from "#lib/core/base/json-object.ts";

/** The proxy that `proxy up` started for a data directory. */
export interface BackgroundRecord {
  pid: number;
  /** Arguments of `proxy serve`. */
  args: string[];
}

const fileOf = (dataDir: string) => join(dataDir, "background.json");

/** The record of a data directory; undefined if there is none or it cannot be read. */
export async function readBackgroundRecord(dataDir: string): Promise<BackgroundRecord | undefined> {
  try {
    const { bytes } = await readBoundedFile(fileOf(dataDir), 65_536);
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    if (!isJsonObject(value) || typeof value.pid !== "number" || !Array.isArray(value.args)) return undefined;
    return { pid: value.pid, args: value.args.map(String) };
  } catch {
    return undefined;
  }
}

export async function writeBackgroundRecord(dataDir: string, record: BackgroundRecord): Promise<void> {
  await writeFileDurably(fileOf(dataDir), `${JSON.stringify(record)}\n`);
}
