import { type ItemRow, LISTED_KINDS, type ListedKind } from "../schema/item.ts";

/** Items by name. A map in the catalog is replaced, never changed. */
export type ItemRowsByName = ReadonlyMap<string, ItemRow>;

/** The rows of all known prompts, resources and templates. */
interface ItemRows {
  of(server: string, kind: ListedKind): ItemRowsByName;
  /** Returns the same array for the same rows, so that results computed from it can be cached. */
  list(server: string, kind: ListedKind): readonly ItemRow[];
  all(kind: ListedKind): Iterable<ItemRow>;
  servers(kind: ListedKind): Iterable<string>;
  /** Increased by every `replace`. */
  readonly revision: number;
  /** Returns the number of the change that last added, changed or removed a definition of the server; 0 if none did. */
  changedIn(server: string): number;
  replace(server: string, kind: ListedKind, after: ItemRowsByName): void;
  forgetChanges(server: string): void;
}

export function createItemRows(): ItemRows {
  const byKind = new Map<ListedKind, Map<string, ItemRowsByName>>(LISTED_KINDS.map((kind) => [kind, new Map()]));
  const lists = new WeakMap<ItemRowsByName, readonly ItemRow[]>();
  const changedIn = new Map<string, number>();
  let changes = 0;
  let revision = 0;
  const of = (server: string, kind: ListedKind) => byKind.get(kind)!.get(server) ?? NO_ROWS;

  return {
    of,
    list(server, kind) {
      const rows = of(server, kind);
      let list = lists.get(rows);
      if (!list) {
        list = [...rows.values()];
        lists.set(rows, list);
      }
      return list;
    },
    *all(kind) {
      for (const rows of byKind.get(kind)!.values()) yield* rows.values();
    },
    servers: (kind) => byKind.get(kind)!.keys(),
    get revision() {
      return revision;
    },
    changedIn: (server) => changedIn.get(server) ?? 0,
    replace(server, kind, after) {
      if (hasOtherDefinitions(of(server, kind), after)) changedIn.set(server, ++changes);
      if (after.size > 0) byKind.get(kind)!.set(server, after);
      else byKind.get(kind)!.delete(server);
      revision++;
    },
    forgetChanges: (server) => void changedIn.delete(server),
  };
}

const NO_ROWS: ItemRowsByName = new Map();

function hasOtherDefinitions(before: ItemRowsByName, after: ItemRowsByName): boolean {
  return before.size !== after.size || [...after].some(([name, { hash }]) => before.get(name)?.hash !== hash);
}
