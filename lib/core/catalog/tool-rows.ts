import type { ToolRow } from "../schema/tool.ts";

/** The rows of all known tools. */
interface ToolRows {
  /** Rows by id. */
  readonly byId: ReadonlyMap<string, ToolRow>;
  /** Rows by server, in the order of its list; a list is replaced, never changed. */
  readonly byServer: ReadonlyMap<string, readonly ToolRow[]>;
  /** Increased by every `replace`. */
  readonly revision: number;
  of(server: string): readonly ToolRow[];
  /** Returns the names of one server's tools. */
  namesOf(server: string): ReadonlySet<string>;
  /** Replaces the rows of a server. @returns its previous rows */
  replace(server: string, after: readonly ToolRow[]): readonly ToolRow[];
}

export function createToolRows(): ToolRows {
  const byId = new Map<string, ToolRow>();
  const byServer = new Map<string, readonly ToolRow[]>();
  const names = new WeakMap<readonly ToolRow[], ReadonlySet<string>>();
  let revision = 0;
  return {
    byId,
    byServer,
    get revision() {
      return revision;
    },
    of: (server) => byServer.get(server) ?? NONE,

    namesOf(server) {
      const rows = byServer.get(server) ?? NONE;
      let nameSet = names.get(rows);
      if (!nameSet) {
        nameSet = new Set(rows.map((row) => row.name));
        names.set(rows, nameSet);
      }
      return nameSet;
    },

    replace(server, after) {
      const before = byServer.get(server) ?? NONE;
      for (const row of before) byId.delete(row.id);
      for (const row of after) byId.set(row.id, row);
      if (after.length > 0) byServer.set(server, after);
      else byServer.delete(server);
      revision++;
      return before;
    },
  };
}

const NONE: readonly ToolRow[] = [];
