import type { App } from "../../core/app.ts";
import { isJsonObject } from "../../core/base/json-object.ts";

/** A record of what a connect wrote, so that an undo can check whether it is still there. */
export interface Write {
  readonly client: string;
  readonly path: string;
  readonly name: string;
  /** File name of the backup; empty if the connect created the file. */
  readonly backup: string;
  /** SHA-256 of the written file, in hex. */
  readonly hash: string;
  /** The agent token that was created for the entry. */
  readonly token?: string;
}

interface Kept {
  readonly writes: readonly Write[];
  /** Names of the agent tokens that connects created, with the client of each. */
  readonly tokens: Readonly<Record<string, string>>;
}

const KEY = "connect";
/** Maximum number of stored writes; older ones cannot be undone. */
const MAX_WRITES = 200;

const stateOf = (app: App): Kept => keptOf(app.store.meta.get(KEY));

/** Changes the record; it is durable when the promise resolves. */
const change = (app: App, edit: (kept: Kept) => Kept) => app.store.meta.change(KEY, (value) => edit(keptOf(value)));

function keptOf(value: unknown): Kept {
  const { writes, tokens } = isJsonObject(value) ? value : {};
  return {
    writes: Array.isArray(writes) ? (writes as Write[]) : [],
    tokens: isJsonObject(tokens) ? (tokens as Record<string, string>) : {},
  };
}

/** Records a write; it is durable when the promise resolves. */
export async function addWrite(app: App, write: Write): Promise<void> {
  await change(app, ({ writes, tokens }) => ({ writes: [...writes, write].slice(-MAX_WRITES), tokens }));
}

/** The newest write of a client with this backup and, if given, this entry name. */
export function findWrite(app: App, criteria: Pick<Write, "client" | "path" | "name" | "backup">): Write | undefined {
  return stateOf(app).writes.findLast(
    (w) =>
      w.client === criteria.client &&
      w.path === criteria.path &&
      w.backup === criteria.backup &&
      (criteria.name === "" || w.name === criteria.name),
  );
}

/** The newest write to one of a client's files, if given with this entry name. */
export function newestWrite(
  app: App,
  { client, paths, name }: Pick<Write, "client" | "name"> & { paths: readonly string[] },
): Write | undefined {
  return stateOf(app).writes.findLast(
    (w) => w.client === client && paths.includes(w.path) && (name === "" || w.name === name),
  );
}

/** Removes a write from the record, so that it can no longer be undone. */
export async function dropWrite(app: App, { client, path, backup, hash }: Write): Promise<void> {
  const isDropped = (w: Write) => w.client === client && w.path === path && w.backup === backup && w.hash === hash;
  await change(app, ({ writes, tokens }) => ({ writes: writes.filter((w) => !isDropped(w)), tokens }));
}

/** Whether a connect of this client created the token. */
export const isMade = (app: App, client: string, token: string) => stateOf(app).tokens[token] === client;

/** Records that a connect of this client created the token. */
export async function addMadeToken(app: App, client: string, token: string): Promise<void> {
  await change(app, ({ writes, tokens }) => ({ writes, tokens: { ...tokens, [token]: client } }));
}

/** Removes the record that a connect of this client created the token. */
export async function dropMadeToken(app: App, client: string, token: string): Promise<void> {
  const isLeft = ([name, of]: [string, string]) => name !== token || of !== client;
  await change(app, ({ writes, tokens }) => ({
    writes,
    tokens: Object.fromEntries(Object.entries(tokens).filter(isLeft)),
  }));
}
