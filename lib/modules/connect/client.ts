import { join } from "node:path";
import { isJsonObject, type JsonObject } from "../../core/base/json-object.ts";
import type { Machine } from "../../core/base/machine.ts";

/** A program that an MCP client starts. */
export interface Local {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** An address that it asks; `sse` is the older HTTP transport. */
interface Remote {
  readonly kind: "http" | "sse";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** How a client reaches one server. */
export type Reach = Local | Remote;

/** One server of a client's configuration. */
export interface Entry {
  readonly name: string;
  readonly reach: Reach;
  /** Whether the client uses it at present. */
  readonly enabled: boolean;
  /** Keys of the entry that say something a `Reach` has no word for. */
  readonly leftOut: readonly string[];
  /** The entry as it stands in the file. */
  readonly raw: JsonObject;
}

/** How one client writes a server down, both ways. */
export interface Shape {
  write(reach: Reach, name: string): JsonObject;
  /** Undefined for an entry that is no server. */
  read(raw: JsonObject): Pick<Entry, "reach" | "enabled" | "leftOut"> | undefined;
}

/** `jsonc` is JSON with comments and commas at the end. */
export type Format = "json" | "jsonc" | "toml" | "yaml";

/** A known MCP client: where its user-wide configuration lies and what a server looks like in it. */
export interface Client {
  /** In addresses and commands; also the word for its icon. */
  readonly id: string;
  readonly name: string;
  readonly format: Format;
  /** Where its configuration may lie, the preferred place first. The first that exists counts, else the first. */
  paths(machine: Machine): readonly string[];
  /** Keys down to the servers, by name or, where `list` says so, as a list of entries with a `name`. */
  at(document: unknown): readonly string[];
  readonly list?: true;
  readonly shape: Shape;
  /**
   * Members of the proxy's entry that keep the client from loading tool definitions only when a model searches for
   * them. They are written unless the endpoint lists every tool of every server, which nobody wants loaded at once.
   */
  readonly eager?: JsonObject;
  /** False where the client makes its file itself, with more in it than servers. */
  readonly creates: boolean;
  /** It cannot reach an address by itself: the entry starts `proxy bridge`, which passes everything on. */
  readonly bridge?: true;
  /** What a person should know who connects it. */
  readonly note?: string;
}

/** What is read of a configuration: its servers, and entries that are none. */
export interface Servers {
  readonly entries: readonly Entry[];
  readonly unread: readonly { readonly name: string; readonly reason: string }[];
}

/** The servers of a client's parsed configuration (`parse` in document.ts); none where nothing is configured. */
export function read(client: Client, document: unknown): Servers {
  const entries: Entry[] = [];
  const unread: { name: string; reason: string }[] = [];
  for (const [name, raw] of members(client, document)) {
    const known = isJsonObject(raw) ? client.shape.read(raw) : undefined;
    if (known && isJsonObject(raw)) entries.push({ name, ...known, raw });
    else unread.push({ name, reason: "has neither a command nor a url" });
  }
  return { entries, unread };
}

/** What stands under `at`, by name. */
export function members(client: Client, document: unknown): [name: string, raw: unknown][] {
  const held = lookUp(document, client.at(document));
  if (!client.list) return isJsonObject(held) ? Object.entries(held) : [];
  if (!Array.isArray(held)) return [];
  return held.flatMap((raw, i): [string, unknown][] => {
    const name = isJsonObject(raw) ? raw.name : undefined;
    // An entry that only points elsewhere has no name of its own.
    return typeof name === "string" ? [[name, raw]] : [[`[${i}]`, undefined]];
  });
}

/** What stands at a path of keys; undefined where nothing does. */
export function lookUp(document: unknown, path: readonly string[]): unknown {
  let value = document;
  for (const key of path) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

/** Folders by which clients find their files. */
export const folders = {
  home: (m: Machine, ...rest: string[]) => join(m.home, ...rest),
  /** `$XDG_CONFIG_HOME`, else `~/.config`, on every system. */
  xdg: (m: Machine, ...rest: string[]) => join(m.env.XDG_CONFIG_HOME || join(m.home, ".config"), ...rest),
  /** Where desktop programs keep their data. */
  app(m: Machine, ...rest: string[]): string {
    if (m.platform === "win32") return join(m.env.APPDATA || join(m.home, "AppData", "Roaming"), ...rest);
    if (m.platform === "darwin") return join(m.home, "Library", "Application Support", ...rest);
    return folders.xdg(m, ...rest);
  },
  localApp: (m: Machine, ...rest: string[]) => join(m.env.LOCALAPPDATA || join(m.home, "AppData", "Local"), ...rest),
  /** What a variable names, else a folder below home. */
  named: (m: Machine, variable: string, ...otherwise: string[]) => m.env[variable] || join(m.home, ...otherwise),
};
