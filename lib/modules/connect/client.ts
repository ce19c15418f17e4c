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

/** An address that a client connects to; `sse` is the older HTTP transport. */
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
  /** Whether the entry is enabled. */
  readonly enabled: boolean;
  /** Keys of the entry that cannot be expressed in a `Reach`. */
  readonly leftOut: readonly string[];
  /** The entry as written in the file. */
  readonly raw: JsonObject;
}

/** The format of one client's entries, for reading and writing. */
export interface Shape {
  write(reach: Reach, name: string): JsonObject;
  /** Reads an entry; undefined if it describes no server. */
  read(raw: JsonObject): Pick<Entry, "reach" | "enabled" | "leftOut"> | undefined;
}

/** `jsonc` is JSON with comments and trailing commas. */
export type Format = "json" | "jsonc" | "toml" | "yaml";

/** A known MCP client: the places of its user-wide configuration and the format of a server in it. */
export interface Client {
  /** Used in URLs and commands, and as the name of the icon. */
  readonly id: string;
  readonly name: string;
  readonly format: Format;
  /**
   * Possible places of its configuration, the preferred one first. The first one that exists is used, or the first if
   * none exists.
   */
  paths(machine: Machine): readonly string[];
  /**
   * The keys that lead to the servers. These are a map by name or, if `list` is set, a list of entries with a `name`.
   */
  at(document: unknown): readonly string[];
  readonly list?: true;
  readonly shape: Shape;
  /**
   * Members of the proxy's entry that make the client load all tool definitions at once instead of on a search by the
   * model. They are written unless the endpoint lists every tool of every server, which would be too many to load at
   * once.
   */
  readonly eager?: JsonObject;
  /** False if only the client can create its file, because the file contains more than servers. */
  readonly creates: boolean;
  /**
   * Set for a client that cannot connect to an address: its entry starts `proxy bridge`, which forwards all messages.
   */
  readonly bridge?: true;
  /** Set for a client that signs in by OAuth on its own when a server rejects it; its entry then needs no token. */
  readonly signsIn?: true;
  /** Advice for the person who connects this client. */
  readonly note?: string;
}

/** The servers of a configuration, and the entries that describe no server. */
export interface Servers {
  readonly entries: readonly Entry[];
  readonly unread: readonly { readonly name: string; readonly reason: string }[];
}

/** Reads the servers of a client's parsed configuration (`parse` in document.ts); empty if none is configured. */
export function readServers(client: Client, document: unknown): Servers {
  const entries: Entry[] = [];
  const unread: { name: string; reason: string }[] = [];
  for (const [name, raw] of members(client, document)) {
    const entry = isJsonObject(raw) ? client.shape.read(raw) : undefined;
    if (entry && isJsonObject(raw)) entries.push({ name, ...entry, raw });
    else unread.push({ name, reason: "has neither a command nor a url" });
  }
  return { entries, unread };
}

/** The entries under `at`, by name. */
export function members(client: Client, document: unknown): [name: string, raw: unknown][] {
  const place = lookUp(document, client.at(document));
  if (!client.list) return isJsonObject(place) ? Object.entries(place) : [];
  if (!Array.isArray(place)) return [];
  return place.flatMap((raw, i): [string, unknown][] => {
    const name = isJsonObject(raw) ? raw.name : undefined;
    // A reference to another entry has no name.
    return typeof name === "string" ? [[name, raw]] : [[`[${i}]`, undefined]];
  });
}

/** The value at a path of keys, or undefined. */
export function lookUp(document: unknown, path: readonly string[]): unknown {
  let value = document;
  for (const key of path) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

/** The base folders in which clients keep their files. */
export const folders = {
  home: (m: Machine, ...rest: string[]) => join(m.home, ...rest),
  /** `$XDG_CONFIG_HOME`, or `~/.config` if it is not set, on every operating system. */
  xdg: (m: Machine, ...rest: string[]) => join(m.env.XDG_CONFIG_HOME || join(m.home, ".config"), ...rest),
  /** The data folder of desktop programs. */
  app(m: Machine, ...rest: string[]): string {
    if (m.platform === "win32") return join(m.env.APPDATA || join(m.home, "AppData", "Roaming"), ...rest);
    if (m.platform === "darwin") return join(m.home, "Library", "Application Support", ...rest);
    return folders.xdg(m, ...rest);
  },
  localApp: (m: Machine, ...rest: string[]) => join(m.env.LOCALAPPDATA || join(m.home, "AppData", "Local"), ...rest),
  /** The folder that an environment variable names, or a folder below home if it is not set. */
  named: (m: Machine, variable: string, ...otherwise: string[]) => m.env[variable] || join(m.home, ...otherwise),
};
