import { createHash } from "node:crypto";
import type { ToolRow } from "../schema/tool.ts";
import type { Catalog } from "./catalog.ts";

type Tools = Pick<Catalog, "get" | "of" | "servers">;
type Named = Pick<ToolRow, "id" | "server" | "name">;

/** Longest name that clients and model providers accept. */
const MAX_NAME = 64;
/** Longest name that is looked up as its server writes it (characters). */
const MAX_WRITTEN = 512;
const SEPARATOR = "__";
const HASH_LENGTH = 12;
/**
 * What a name ends in that was changed; a name that looks like it is changed too, so the two kinds never meet. It begins
 * with a digit, because words of twelve letters are common: `add_observations`, `create_organization`.
 */
const HASHED = /_[0-9][0-9a-z]{11}$/;

/** The changed names of one server's tools, by its list of rows. */
const changed = new WeakMap<readonly ToolRow[], ReadonlyMap<string, string>>();

/**
 * The id behind a direct-mode name (spec 001 §2.1), or behind `serverName__toolName` as its server writes it, where that
 * stands for one tool alone. Looks at the tools of the servers alone that the name may belong to, so that a call costs the
 * same among a hundred thousand tools.
 */
export function directIdOf(tools: Tools, name: string): string | undefined {
  const splits = splitsOf(name).flatMap((id) => tools.get(id) ?? []);
  const exact = splits.find((row) => directName(row) === name) ?? changedIn(tools, name);
  if (exact) return exact.id;
  return splits.length === 1 ? splits[0]!.id : undefined;
}

/**
 * The direct-mode name of one tool. It depends on the tool alone, so it never changes with what else is listed.
 *
 * Other characters become "_", what is too long is cut, and a name that was changed, or that could be read as another
 * server's tool (`a__b` + `c`, `a` + `b__c`), ends in a short hash of the id.
 */
export function directName(tool: Named): string {
  const wanted = unchanged(tool);
  const plain = wanted.replace(/[^a-zA-Z0-9_-]/g, "_");
  const asIs = plain === wanted && plain.length <= MAX_NAME && !HASHED.test(plain);
  if (asIs && plain.indexOf(SEPARATOR) === tool.server.length) return plain;
  return `${plain.slice(0, MAX_NAME - HASH_LENGTH - 1)}_${hashOf(tool.id)}`;
}

const unchanged = ({ server, name }: Named) => `${server}${SEPARATOR}${name}`;

/** The ids that are written as this name, one for each separator in it. */
function splitsOf(name: string): string[] {
  const ids: string[] = [];
  if (name.length > MAX_WRITTEN) return ids;
  for (let at = name.indexOf(SEPARATOR); at >= 0; at = name.indexOf(SEPARATOR, at + 1))
    ids.push(`${name.slice(0, at)}:${name.slice(at + SEPARATOR.length)}`);
  return ids;
}

/** The tool that was given this changed name. */
function changedIn(tools: Tools, name: string): ToolRow | undefined {
  if (!HASHED.test(name)) return undefined;
  for (const server of tools.servers()) {
    const id = mayBegin(server, name) ? changedNames(tools.of(server)).get(name) : undefined;
    if (id !== undefined) return tools.get(id);
  }
  return undefined;
}

/** Whether a changed name may be one of a server's: it begins with the server's name, but for what became "_". */
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
