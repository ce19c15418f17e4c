import { isLoopback } from "../../../core/base/host-port.ts";
import type { ServerConfig } from "../../../core/config/config-keys.ts";
import type { NewServer } from "../../../core/config/server-patch.ts";
import type { Reach } from "../client.ts";
import { cleanName, translate } from "./clean.ts";
import type { FoundEntry } from "./find.ts";
import { isOurs, type Self } from "./ours.ts";

/** The choices of the person who imports. */
export interface Wishes {
  /** Names of the entries to import, as in the client's file; absent for all. */
  readonly names?: readonly string[] | undefined;
  /** New names, by the names in the client's file. A renamed entry is added even if an equal server exists. */
  readonly rename?: Readonly<Record<string, string>> | undefined;
}

/** A server that would be added. */
export interface Planned {
  readonly originalName: string;
  readonly server: NewServer;
  /** Keys of the entry that the proxy cannot represent. */
  readonly leftOut: readonly string[];
  /** Notes for the person who imports. */
  readonly remarks: readonly string[];
}

type SkipReason = "already_exists" | "duplicate" | "filtered_out" | "invalid_name" | "not_a_server" | "own_entry";
interface Skipped {
  readonly name: string;
  readonly reason: SkipReason;
  readonly detail: string;
  /** Name of the server that runs or contacts the same. */
  readonly twin?: string;
}

/** Decides which entries would be added, under which name, and why the others would not (reference 1.12). Pure. */
export function plan(
  entries: readonly FoundEntry[],
  configured: readonly ServerConfig[],
  { names, rename = {} }: Wishes,
  self: Self,
): { add: Planned[]; skip: Skipped[] } {
  const add: Planned[] = [];
  const skip: Skipped[] = [];
  for (const entry of entries) {
    const { name } = entry;
    const no = (reason: SkipReason, detail: string, twin?: string) =>
      void skip.push({ name, reason, detail, ...(twin !== undefined && { twin }) });
    if (names && !names.includes(name)) {
      no("filtered_out", "was not requested");
      continue;
    }
    if (isOurs(entry.reach, self)) {
      no("own_entry", "refers to this proxy");
      continue;
    }
    const renamed = Object.hasOwn(rename, name) ? rename[name]! : undefined;
    const requestedName = renamed ?? cleanName(name);
    if (requestedName === "") {
      no("invalid_name", "its name has no characters that a tool's id may contain; rename it");
      continue;
    }
    const { reach, remarks } = translate(entry.reach);
    const twin = renamed === undefined ? twinOf(reach, configured, add) : undefined;
    if (twin?.name === requestedName) {
      no("already_exists", "the same server is configured", twin.name);
      continue;
    }
    if (twin) {
      no("duplicate", `is the same as "${twin.name}"`, twin.name);
      continue;
    }
    if (configured.some((server) => server.name === requestedName)) {
      no("already_exists", `another server is named "${requestedName}"; import this one under another name`);
      continue;
    }
    const free = freeName(requestedName, add);
    add.push({
      originalName: name,
      server: { name: free, ...fields(reach, entry, self) },
      leftOut: entry.leftOut.filter((key) => key !== "working_dir" && !(key === "url" && listensAt(entry, self))),
      remarks: [
        ...(free !== name && renamed === undefined ? [`is named "${name}" in the client`] : []),
        ...(entry.project === undefined ? [] : [`belongs to the project ${entry.project} in the client`]),
        ...(entry.enabled ? [] : ["is disabled in the client, so it is imported as disabled"]),
        ...remarks,
      ],
    });
  }
  return { add, skip };
}

function fields(reach: Reach, entry: FoundEntry, self: Self): Omit<NewServer, "name"> {
  const { raw, enabled } = entry;
  const off = enabled ? {} : { enabled };
  if (reach.kind !== "stdio") {
    const headers = Object.keys(reach.headers).length > 0 && { headers: { ...reach.headers } };
    return { url: reach.url, ...(reach.kind === "sse" && { protocol: "sse" }), ...headers, ...off };
  }
  const folder = reach.cwd ?? (typeof raw.working_dir === "string" ? raw.working_dir : undefined);
  return {
    command: reach.command,
    args: [...reach.args],
    ...(Object.keys(reach.env).length > 0 && { env: { ...reach.env } }),
    ...(folder !== undefined && folder !== "" && { working_dir: folder }),
    ...listensAt(entry, self),
    ...off,
  };
}

/**
 * The address in an entry that also has a command, if it is on this machine and not the proxy's own; otherwise the
 * address is ignored.
 */
function listensAt({ raw, reach }: FoundEntry, self: Self): { url: string } | undefined {
  const { url } = raw;
  if (reach.kind !== "stdio" || typeof url !== "string" || !/^https?:/i.test(url) || !URL.canParse(url))
    return undefined;
  const here = isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ""));
  return here && !isOurs({ kind: "http", url, headers: {} }, self) ? { url } : undefined;
}

/** Whether a configured server runs or contacts the same as an entry, whatever the credentials. */
export function sameAs(reach: Reach, configured: readonly ServerConfig[]): boolean {
  return twinOf(translate(reach).reach, configured, []) !== undefined;
}

/** The configured or planned server that runs or contacts the same, whatever the credentials. */
function twinOf(
  reach: Reach,
  configured: readonly ServerConfig[],
  planned: readonly Planned[],
): { name: string } | undefined {
  const candidates = [...configured, ...planned.map(({ server }) => server)];
  return candidates.find((server) => runsSame(server, reach));
}

function runsSame(server: Pick<NewServer, "url" | "command" | "args">, reach: Reach): boolean {
  if (reach.kind !== "stdio") return !!server.url && alike(bare(server.url), bare(reach.url));
  const args = server.args ?? [];
  if (server.url || !alike(server.command ?? "", reach.command) || args.length !== reach.args.length) return false;
  return args.every((arg, i) => alike(arg, reach.args[i]!));
}

const bare = (url: string) => url.replace(/\/+$/, "");
const REFERENCE = /\$\{[^}]*\}/;

/** Compares two texts in which a reference matches any part, because a secret may have been moved to the keyring. */
function alike(a: string, b: string): boolean {
  if (a === b) return true;
  const [pattern, text] = REFERENCE.test(a) ? [a, b] : [b, a];
  const parts = pattern.split(REFERENCE);
  if (parts.length === 1 || !text.startsWith(parts[0]!)) return false;
  let at = parts[0]!.length;
  for (const [i, part] of parts.slice(1).entries()) {
    const last = i === parts.length - 2;
    const found = last ? text.length - part.length : text.indexOf(part, at);
    if (found < at || !text.startsWith(part, found)) return false;
    at = found + part.length;
  }
  return true;
}

function freeName(requestedName: string, planned: readonly Planned[]): string {
  const taken = new Set(planned.map(({ server }) => server.name));
  for (let n = 1; ; n++) {
    const name = n === 1 ? requestedName : `${requestedName}-${n}`;
    if (!taken.has(name)) return name;
  }
}
