import { createHash } from "node:crypto";
import type { ToolRow } from "../schema/tool.ts";
import type { Catalog } from "./catalog.ts";

type Tools = Pick<Catalog, "get" | "of" | "servers">;
type Named = Pick<ToolRow, "id" | "server" | "name">;

/** Maximum length of a name that clients and model providers accept. */
const MAX_NAME = 64;
/** Longer names are not looked up (characters). */
const MAX_WRITTEN = 512;
const SEPARATOR = "__";
const HASH_LENGTH = 12;
/**
 * The end of a name that was changed. A name that has such an end by itself is changed, too, so a changed and an
 * unchanged name are never equal. The hash begins with a digit, because words of twelve letters are common:
 * `add_observations`, `create_organization`.
 */
const HASHED = /_[0-9][0-9a-z]{11}$/;

/** The changed names of one server's tools, by the server's list of rows. */
const changed = new WeakMap<readonly ToolRow[], ReadonlyMap<string, string>>();

/**
 * Returns the id of the tool with a direct-mode name (spec 001 §2.1). The name may also be `serverName__toolName` as
 * the server writes it, if this fits only one tool. Only servers whose name fits are searched, so a call takes no
 * longer with a hundred thousand tools.
 */
export function directIdOf(tools: Tools, name: string): string | undefined {
  if (name.length > MAX_WRITTEN) return undefined;
  let only: string | undefined;
  let count = 0;
  // Each separator may be the one between the names of the server and the tool.
  for (let at = name.indexOf(SEPARATOR); at >= 0; at = name.indexOf(SEPARATOR, at + 1)) {
    const row = tools.get(`${name.slice(0, at)}:${name.slice(at + SEPARATOR.length)}`);
    if (!row) continue;
    if (directName(row) === name) return row.id;
    only = row.id;
    count++;
  }
  return changedIn(tools, name)?.id ?? (count === 1 ? only : undefined);
}

/** Returns the servers and ids that a direct-mode name may mean if it is unchanged, whether or not there are such. */
export function directCandidates(name: string): { server: string; id: string }[] {
  const found: { server: string; id: string }[] = [];
  if (name.length > MAX_WRITTEN) return found;
  for (let at = name.indexOf(SEPARATOR); at >= 0; at = name.indexOf(SEPARATOR, at + 1)) {
    const server = name.slice(0, at);
    found.push({ server, id: `${server}:${name.slice(at + SEPARATOR.length)}` });
  }
  return found;
}

/**
 * Returns the direct-mode name of a tool. It depends on the tool only, so it does not change when other tools are
 * listed.
 *
 * Characters that are not allowed become "_", and a name that is too long is cut. A name that was changed, or that
 * might be read as a tool of another server (`a__b` + `c`, `a` + `b__c`), ends with a short hash of the id.
 */
export function directName(tool: Named): string {
  const wanted = unchanged(tool);
  const plain = wanted.replace(/[^a-zA-Z0-9_-]/g, "_");
  const asIs = plain === wanted && plain.length <= MAX_NAME && !HASHED.test(plain);
  if (asIs && plain.indexOf(SEPARATOR) === tool.server.length) return plain;
  return `${plain.slice(0, MAX_NAME - HASH_LENGTH - 1)}_${hashOf(tool.id)}`;
}

const unchanged = ({ server, name }: Named) => `${server}${SEPARATOR}${name}`;

/** Finds the tool with a changed name. */
function changedIn(tools: Tools, name: string): ToolRow | undefined {
  if (!HASHED.test(name)) return undefined;
  for (const server of tools.servers()) {
    const id = mayBegin(server, name) ? changedNames(tools.of(server)).get(name) : undefined;
    if (id !== undefined) return tools.get(id);
  }
  return undefined;
}

/**
 * True if a server may have this changed name: it begins with the server's name, in which characters may have become
 * "_".
 */
function mayBegin(server: string, name: string): boolean {
  const end = Math.min(server.length, MAX_NAME - HASH_LENGTH - 1);
  for (let i = 0; i < end; i++) if (name[i] !== server[i] && name[i] !== "_") return false;
  return true;
}

function changedNames(rows: readonly ToolRow[]): ReadonlyMap<string, string> {
  let names = changed.get(rows);
  if (!names) {
    names = new Map(rows.flatMap((row) => changedNameOf(row)));
    changed.set(rows, names);
  }
  return names;
}

function changedNameOf(row: ToolRow): [string, string][] {
  const name = directName(row);
  return name === unchanged(row) ? [] : [[name, row.id]];
}

function hashOf(id: string): string {
  const number = BigInt(`0x${createHash("sha256").update(id).digest("hex")}`);
  const rest = (number / 10n).toString(36).slice(1 - HASH_LENGTH);
  return `${number % 10n}${rest.padStart(HASH_LENGTH - 1, "0")}`;
}
