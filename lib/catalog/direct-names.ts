import { createHash } from "node:crypto";
import type { ToolRow } from "../shape/tool.ts";
import type { Catalog } from "./catalog.ts";

/** The names of direct mode, in both directions. */
export interface DirectNames {
  nameOf(id: string): string | undefined;
  /** By its name, or by `serverName__toolName` as its server writes it, where that stands for one tool alone. */
  idOf(name: string): string | undefined;
}

/** Longest name that clients and model providers accept. */
const NAME_MAX = 64;
const SEPARATOR = "__";
const HASH_LENGTH = 12;
/**
 * What a name ends in that was changed; a name that looks like it is changed too, so the two kinds never meet. It begins
 * with a digit, because words of twelve letters are common: `add_observations`, `create_organization`.
 */
const HASHED = /_[0-9][0-9a-z]{11}$/;

const known = new WeakMap<Catalog, { revision: number; names: DirectNames }>();

/**
 * The direct-mode names of all tools of a catalog (spec 001 §2.1): `serverName__toolName`, each matching
 * `^[a-zA-Z0-9_-]{1,64}$` and standing for one tool. Kept until the catalog changes.
 */
export function directNames(catalog: Catalog): DirectNames {
  const old = known.get(catalog);
  if (old?.revision === catalog.revision) return old.names;
  const names = namesOf(catalog.all());
  known.set(catalog, { revision: catalog.revision, names });
  return names;
}

/**
 * The direct-mode name of one tool. It depends on the tool alone, so it never changes with what else is listed.
 *
 * Other characters become "_", what is too long is cut, and a name that was changed, or that could be read as another
 * server's tool (`a__b` + `c`, `a` + `b__c`), ends in a short hash of the id.
 */
export function directName(tool: Pick<ToolRow, "id" | "server" | "name">): string {
  const wanted = unchanged(tool);
  const plain = wanted.replace(/[^a-zA-Z0-9_-]/g, "_");
  const asIs = plain === wanted && plain.length <= NAME_MAX && !HASHED.test(plain);
  if (asIs && plain.indexOf(SEPARATOR) === tool.server.length) return plain;
  return `${plain.slice(0, NAME_MAX - HASH_LENGTH - 1)}_${hashOf(tool.id)}`;
}

const unchanged = ({ server, name }: Pick<ToolRow, "server" | "name">) => `${server}${SEPARATOR}${name}`;

function hashOf(id: string): string {
  const number = BigInt(`0x${createHash("sha256").update(id).digest("hex")}`);
  const rest = (number / 10n).toString(36).slice(1 - HASH_LENGTH);
  return `${number % 10n}${rest.padStart(HASH_LENGTH - 1, "0")}`;
}

function namesOf(rows: Iterable<ToolRow>): DirectNames {
  const tools = [...rows];
  const names = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const tool of tools) {
    const name = directName(tool);
    names.set(tool.id, name);
    ids.set(name, tool.id);
  }
  let written: Map<string, string | undefined> | undefined;
  return {
    nameOf: (id) => names.get(id),
    idOf(name) {
      const id = ids.get(name);
      if (id !== undefined || !name.includes(SEPARATOR)) return id;
      written ??= unchangedNames(tools, names);
      return written.get(name);
    },
  };
}

/** The names that had to be changed, as they were; undefined for one that several tools have. */
function unchangedNames(tools: Iterable<ToolRow>, names: ReadonlyMap<string, string>): Map<string, string | undefined> {
  const written = new Map<string, string | undefined>();
  for (const tool of tools) {
    const name = unchanged(tool);
    if (names.get(tool.id) !== name) written.set(name, written.has(name) ? undefined : tool.id);
  }
  return written;
}
