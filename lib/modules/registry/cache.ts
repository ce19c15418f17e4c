import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type App, part } from "../../core/app.ts";
import { readBoundedFile, writeFileDurably } from "../../core/base/file.ts";
import { makeFolder } from "../../core/base/folder.ts";
import { isJsonObject } from "../../core/base/json-object.ts";
import type { Entry } from "./entry.ts";
import type { Source } from "./source.ts";
import { isLocal } from "./sources.ts";

/** A request to a registry and its time. */
export interface Asked {
  /** Time of the response (ms). */
  readonly at: number;
  /** Whether all matching entries were received; otherwise the registry has more than the proxy reads. */
  readonly complete: boolean;
  /** Number of invalid entries that were skipped. */
  readonly skipped: number;
  /** Set if the registry must be requested again; this response is used if that fails. */
  readonly expired?: boolean;
}

/** The cache of one registry: every entry it ever returned, by ID, and the requests. Stored on disk. */
export interface Known {
  readonly entries: Map<string, Entry>;
  readonly asked: Map<string, Asked>;
}

const MAX_ENTRIES = 10_000;
const MAX_QUESTIONS = 100;
const MAX_BYTES = 64 * 1024 * 1024;
const FORM = 1;

/** The cache of each list. */
const memory = part("registryMemory", () => new Map<string, Promise<Known>>());

/** The cached entries of a registry, without a request. A different list URL counts as a different registry. */
export function cachedEntries(app: App, source: Source): Promise<Known> {
  const registries = app.part(memory);
  const key = keyOf(source);
  let found = registries.get(key);
  if (!found) {
    found = read(app, source);
    registries.set(key, found);
  }
  return found;
}

/** Stores a registry's response. If it cannot be stored on disk, it remains in memory. */
export async function learn(
  app: App,
  source: Source,
  question: string,
  entries: readonly Entry[],
  asked: Asked,
): Promise<void> {
  const it = await cachedEntries(app, source);
  const ids = new Set(entries.map(({ id }) => id));
  // An entry that a complete response no longer contains was removed.
  if (asked.complete)
    for (const id of it.entries.keys())
      if (!ids.has(id) && id.toLowerCase().includes(question.toLowerCase())) it.entries.delete(id);
  for (const entry of entries) {
    it.entries.delete(entry.id);
    it.entries.set(entry.id, entry);
  }
  it.asked.delete(question);
  it.asked.set(question, asked);
  drop(it.entries, MAX_ENTRIES);
  drop(it.asked, MAX_QUESTIONS);
  if (isLocal(source)) return;
  await write(app, source, it).catch((error: unknown) =>
    app.log.warn(`the response of registry "${source.id}" cannot be stored for the next start`, { error }),
  );
}

/** Marks all cached responses as expired. @returns their number */
export async function expire(app: App, source: Source): Promise<number> {
  const it = await cachedEntries(app, source);
  const fresh = [...it.asked].filter(([, { expired }]) => !expired);
  for (const [question, asked] of fresh) it.asked.set(question, { ...asked, expired: true });
  if (fresh.length > 0 && !isLocal(source)) await write(app, source, it);
  return fresh.length;
}

/** Deletes the cache of a removed registry. */
export async function forget(app: App, source: Source): Promise<void> {
  app.part(memory).delete(keyOf(source));
  await rm(pathOf(app, source), { force: true });
}

const keyOf = ({ id, serversUrl, protocol }: Source) => JSON.stringify([id, serversUrl, protocol]);

const pathOf = ({ boot }: App, { id }: Source) =>
  join(boot.dataDir, "registries", `${id.replaceAll(/[^a-z0-9._-]/gi, "_").slice(0, 100)}.json`);

/** Removes the oldest entries. */
function drop(map: Map<string, unknown>, maxEntries: number): void {
  for (const key of map.keys()) {
    if (map.size <= maxEntries) return;
    map.delete(key);
  }
}

async function write(app: App, source: Source, { entries, asked }: Known): Promise<void> {
  const path = pathOf(app, source);
  makeFolder(join(path, ".."));
  const stored = { form: FORM, of: keyOf(source), asked: [...asked], entries: [...entries.values()] };
  await writeFileDurably(path, JSON.stringify(stored));
}

/** Reads the stored cache; empty if it is of another list or cannot be read. */
async function read(app: App, source: Source): Promise<Known> {
  const none: Known = { entries: new Map(), asked: new Map() };
  try {
    const stored: unknown = JSON.parse((await readBoundedFile(pathOf(app, source), MAX_BYTES)).bytes.toString("utf8"));
    if (!isJsonObject(stored) || stored.form !== FORM || stored.of !== keyOf(source)) return none;
    // The cast is safe: only `write` writes this file, with validated values, and the folder belongs to this user only.
    const { asked, entries } = stored as unknown as { asked: [string, Asked][]; entries: Entry[] };
    return { entries: new Map(entries.map((entry) => [entry.id, entry])), asked: new Map(asked) };
  } catch {
    return none;
  }
}
