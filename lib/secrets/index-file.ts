import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, readBounded, writeDurably } from "../base/file.ts";
import { isObject } from "../base/merge.ts";

/** Where the value of a name was put. */
export type Place = "keyring" | "file";

/** The names of stored secrets, in `secrets.json`: a keyring cannot be asked for them on every system. */
export interface NameIndex {
  read(): Promise<Map<string, Place>>;
  put(name: string, place: Place): Promise<void>;
  remove(name: string): Promise<void>;
}

export function nameIndex(dataDir: string): NameIndex {
  const path = join(dataDir, "secrets.json");
  const read = async (): Promise<Map<string, Place>> => {
    try {
      const document: unknown = JSON.parse((await readBounded(path, LARGEST)).bytes.toString("utf8"));
      const names = isObject(document) && isObject(document.names) ? Object.entries(document.names) : [];
      return new Map(names.map(([name, place]) => [name, place === "file" ? "file" : "keyring"]));
    } catch (error) {
      if (codeOf(error) === "ENOENT") return new Map();
      throw new Error(`${path} is damaged; remove it, and set the secrets again that are missing then`, {
        cause: error,
      });
    }
  };
  const write = async (names: Map<string, Place>) => {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const sorted = [...names].sort(([a], [b]) => (a < b ? -1 : 1));
    await writeDurably(path, `${JSON.stringify({ names: Object.fromEntries(sorted) }, null, 2)}\n`);
  };
  return {
    read,
    async put(name, place) {
      const names = await read();
      if (names.get(name) !== place) await write(names.set(name, place));
    },
    async remove(name) {
      const names = await read();
      if (names.delete(name)) await write(names);
    },
  };
}

const LARGEST = 16 * 1024 * 1024;
