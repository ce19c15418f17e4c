import { inSteps, type Urgency } from "../../core/base/loop-share.ts";
import type { ToolRow } from "../../core/schema/tool.ts";
import { grouping, type Rival, rivalOf } from "./rules/alike.ts";

/** The tools of all servers, as the scan compares each tool with those of other servers. */
export interface Neighbours {
  /** Servers that have a tool, by its name. */
  readonly foreign: ReadonlyMap<string, readonly string[]>;
  readonly rivals: readonly Rival[];
  /** Groups the tools of servers where that was not done since they changed; undefined where nothing is left to do. */
  prepare(urgency: Urgency): Promise<void> | undefined;
  /** A server has other tools than before. */
  swap(server: string, before: readonly ToolRow[], after: readonly ToolRow[]): void;
}

/** @param byServer the rows of each server; a list is replaced, never changed */
export function createNeighbours(byServer: ReadonlyMap<string, readonly ToolRow[]>): Neighbours {
  const foreign = new Map<string, string[]>();
  const grouped = new WeakMap<readonly ToolRow[], Rival>();
  let rivals: readonly Rival[] | undefined;

  async function group(urgency: Urgency): Promise<void> {
    for (const [server, rows] of [...byServer])
      if (!grouped.has(rows)) grouped.set(rows, await inSteps(grouping(server, rows), urgency));
    // What changed meanwhile is grouped when it is needed.
  }

  function groupNow(server: string, rows: readonly ToolRow[]): Rival {
    const rival = grouped.get(rows) ?? rivalOf(server, rows);
    grouped.set(rows, rival);
    return rival;
  }

  return {
    foreign,
    get rivals() {
      rivals ??= [...byServer].map(([server, rows]) => groupNow(server, rows));
      return rivals;
    },
    prepare(urgency) {
      return rivals ? undefined : group(urgency);
    },
    swap(server, before, after) {
      rivals = undefined;
      const old = new Set(before.map(({ name }) => name));
      for (const { name } of after) {
        if (old.delete(name)) continue;
        const servers = foreign.get(name);
        if (servers) servers.push(server);
        else foreign.set(name, [server]);
      }
      for (const name of old) {
        const left = foreign.get(name)?.filter((one) => one !== server) ?? [];
        if (left.length > 0) foreign.set(name, left);
        else foreign.delete(name);
      }
    },
  };
}
