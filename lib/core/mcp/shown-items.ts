import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type App, part } from "../app.ts";
import { loopShare } from "../base/loop-share.ts";
import { directName } from "../catalog/direct-names.ts";
import { uriMap } from "../catalog/uri-map.ts";
import type { Config } from "../config/config-keys.ts";
import { visibleItems } from "../gateway/tool-snapshot.ts";
import { scopeKey } from "../policy/scope-key.ts";
import type { Caller } from "../schema/caller.ts";
import type { ItemRow, ListedKind } from "../schema/item.ts";
import type { McpObject } from "../schema/mcp.ts";
import { type KeysetEntry, sortEntries } from "./keyset-page.ts";

/** One item as clients see it. */
export interface ShownItem extends KeysetEntry {
  readonly row: ItemRow;
}

/** The items of one kind for callers with the same scope. */
export interface ShownItems {
  /** Sorted by listed name: the name of a prompt, a mapped URI, a mapped URI template. */
  readonly entries: readonly ShownItem[];
  readonly byKey: ReadonlyMap<string, ShownItem>;
  /** Changes if and only if an entry changes. */
  readonly tag: string;
}

/** Maximum number of cached lists, of all kinds and scopes; callers with the same scope share them. */
const MAX_LISTS = 150;

interface Gathered {
  readonly revision: number;
  readonly config: Config;
  readonly shown: Promise<ShownItems>;
}

const gatheredLists = part("shownItems", () => new LRUCache<string, Gathered>({ max: MAX_LISTS }));

/**
 * Returns the items of a kind that a caller may see. The list is made anew if the catalog or the configuration changed.
 */
export function shownItems(app: App, caller: Caller, kind: ListedKind): Promise<ShownItems> {
  const lists = app.part(gatheredLists);
  const config = app.config.current();
  const { revision } = app.catalog.items;
  const key = `${kind} ${scopeKey(caller)}`;
  const known = lists.get(key);
  if (known?.revision === revision && known.config === config) return known.shown;
  const shown = gather(app, caller, kind);
  lists.set(key, { revision, config, shown });
  shown.catch(() => {
    if (lists.get(key)?.shown === shown) lists.delete(key);
  });
  return shown;
}

async function gather(app: App, caller: Caller, kind: ListedKind): Promise<ShownItems> {
  const sees = visibleItems(app, caller);
  const found: ShownItem[] = [];
  const pause = loopShare();
  for (const row of app.catalog.items.all(kind)) {
    if (row.present && sees(row)) found.push(shownItem(row));
    const others = pause();
    if (others) await others;
  }
  const entries = sortEntries(found);
  const hash = createHash("sha256");
  for (const { key, row } of entries) hash.update(`\n${JSON.stringify(key)} ${row.hash}`);
  return { entries, byKey: new Map(entries.map((one) => [one.key, one])), tag: hash.digest("base64url") };
}

/** Returns the name or URI by which clients refer to an item. */
export function shownName({ kind, server, name }: Pick<ItemRow, "kind" | "server" | "name">): string {
  // The name of a prompt is made like the direct-mode name of a tool.
  return kind === "prompt" ? directName({ id: `${server}:${name}`, server, name }) : uriMap(server).map(name);
}

function shownItem(row: ItemRow): ShownItem {
  const known = madeItems.get(row);
  if (known) return known;
  const key = shownName(row);
  const made = { key, text: JSON.stringify(renamed(row.definition, row.kind, key)), row };
  madeItems.set(row, made);
  return made;
}

const NAMED_BY = { prompt: "name", resource: "uri", template: "uriTemplate" } as const satisfies Record<
  ListedKind,
  string
>;

function renamed(definition: McpObject, kind: ListedKind, key: string): McpObject {
  return { ...definition, [NAMED_BY[kind]]: key };
}

// Items by row; rows are replaced, never changed in place.
const madeItems = new WeakMap<ItemRow, ShownItem>();
