import { join } from "node:path";
import { rfc3339 } from "../base/clock.ts";
import { readBoundedFile, systemErrorCode, writeFileDurably } from "../base/file.ts";
import { makeFolder } from "../base/folder.ts";
import { isJsonObject, type JsonObject } from "../base/json-object.ts";

/** Where the value of a secret is stored. */
export type SecretBackend = "keyring" | "file";

/** The metadata of one secret. */
interface SecretNameEntry {
  place: SecretBackend;
  /** When the value was set (ms). */
  updatedAt?: number;
}

/** The names of stored secrets, in `secrets.json`, because some systems' keyrings cannot list them. */
interface SecretNames {
  read(): Promise<Map<string, SecretNameEntry>>;
  put(name: string, entry: SecretNameEntry): Promise<void>;
  remove(name: string): Promise<void>;
}

export function openSecretNames(dataDir: string): SecretNames {
  const path = join(dataDir, "secrets.json");
  const read = async (): Promise<Map<string, SecretNameEntry>> => {
    try {
      const document: unknown = JSON.parse((await readBoundedFile(path, MAX_BYTES)).bytes.toString("utf8"));
      return isJsonObject(document) ? entries(document) : new Map();
    } catch (error) {
      if (systemErrorCode(error) === "ENOENT") return new Map();
      throw new Error(`${path} is damaged; remove it, then store the missing secrets again`, {
        cause: error,
      });
    }
  };
  const write = async (names: Map<string, SecretNameEntry>) => {
    makeFolder(dataDir);
    const sorted = [...names].sort(([a], [b]) => (a < b ? -1 : 1));
    const updated = sorted.flatMap(([name, { updatedAt }]) =>
      updatedAt === undefined ? [] : [[name, rfc3339(updatedAt)]],
    );
    const document = {
      names: Object.fromEntries(sorted.map(([name, { place }]) => [name, place])),
      updated: Object.fromEntries(updated),
    };
    await writeFileDurably(path, `${JSON.stringify(document, null, 2)}\n`);
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

function entries({ names, updated }: JsonObject): Map<string, SecretNameEntry> {
  const times = isJsonObject(updated) ? updated : {};
  return new Map(
    Object.entries(isJsonObject(names) ? names : {}).map(([name, place]): [string, SecretNameEntry] => {
      const at = Object.hasOwn(times, name) ? Date.parse(String(times[name])) : Number.NaN;
      return [name, { place: place === "file" ? "file" : "keyring", ...(!Number.isNaN(at) && { updatedAt: at }) }];
    }),
  );
}

const MAX_BYTES = 16 * 1024 * 1024;
