import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createFileDurably, readBoundedFile, systemErrorCode } from "../../core/base/file.ts";

const FILE = "replica-id";

/** Returns the id of the replica with this data directory; it stays the same when the replica is restarted. */
export async function replicaId(dir: string): Promise<string> {
  const path = join(dir, FILE);
  return (await readId(path)) ?? (await makeId(path));
}

/** Returns the id of the replica that a data directory belongs to; undefined if it belongs to none. */
export function knownReplicaId(dir: string): Promise<string | undefined> {
  return readId(join(dir, FILE));
}

async function makeId(path: string): Promise<string> {
  const id = randomBytes(8).toString("hex");
  await createFileDurably(path, `${id}\n`);
  return (await readId(path)) ?? id;
}

/** @returns undefined if there is none, or the file is damaged */
async function readId(path: string): Promise<string | undefined> {
  try {
    const text = (await readBoundedFile(path, 100)).bytes.toString("utf8").trim();
    return /^[0-9a-f]{16}$/.test(text) ? text : undefined;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
