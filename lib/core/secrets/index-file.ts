import { join } from "node:path";
import { rfc3339 } from "../base/clock.ts";
import { codeOf, readBounded, writeDurably } from "../base/file.ts";
import { makeFolder } from "../base/folder.ts";
import { isObject, type JsonObject } from "../base/merge.ts";

/** Where the value of a name was put. */
export type Place = "keyring" | "file";

/** What is kept about a name. */
export interface Entry {
  place: Place;
  /** When its value was set (ms). */
  updatedAt?: number;
}

/** The names of stored secrets, in `secrets.json`: a keyring cannot be asked for them on every system. */
export interface NameIndex {
  read(): Promise<Map<string, Entry>>;
  put(name: string, entry: Entry): Promise<void>;
  remove(name: string): Promise<void>;
}

export function nameIndex(dataDir: string): NameIndex {
  const path = join(dataDir, "secrets.json");
  const read = async (): Promise<Map<string, Entry>> => {
    try {
      const document: unknown = JSON.parse((await readBounded(path, MAX_BYTES)).bytes.toString("utf8"));
      return isObject(document) ? entries(document) : new Map();
    } catch (error) {
      if (codeOf(error) === "ENOENT") return new Map();
      throw new Error(`${path} is damaged; remove it, and set the secrets again that are missing then`, {
        cause: error,
      });
    }
  };
  const write = async (names: Map<string, Entry>) => {
    makeFolder(dataDir);
    const sorted = [...names].sort(([a], [b]) => (a < b ? -1 : 1));
    const updated = sorted.flatMap(([name, { updatedAt }]) =>
      updatedAt === undefined ? [] : [[name, rfc3339(updatedAt)]],
    );
    const document = {
      names: Object.fromEntries(sorted.map(([name, { place }]) => [name, place])),
      updated: Object.fromEntries(updated),
    };
    await writeDurably(path, `${JSON.stringify(document, null, 2)}\n`);
  };
  return {
    read,
    async put(name, entry) {
      await write((await read()).set(name, entry));
    },
    async remove(name) {
      const names = await read();
      if (names.delete(name)) await write(names);
    },
  };
}

function entries({ names, updated }: JsonObject): Map<string, Entry> {
  const times = isObject(updated) ? updated : {};
  return new Map(
    Object.entries(isObject(names) ? names : {}).map(([name, place]): [string, Entry] => {
      const at = Object.hasOwn(times, name) ? Date.parse(String(times[name])) : Number.NaN;
      return [name, { place: place === "file" ? "file" : "keyring", ...(!Number.isNaN(at) && { updatedAt: at }) }];
    }),
  );
}

const MAX_BYTES = 16 * 1024 * 1024;
