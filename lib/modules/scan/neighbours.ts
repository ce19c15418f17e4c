import { runSteps, type Urgency } from "../../core/base/loop-share.ts";
import type { ToolRow } from "../../core/schema/tool.ts";
import { grouping, rivalOf } from "./rules/alike.ts";
import type { Rival } from "./rules/scan-context.ts";

/** An index of the tools of all servers, for comparing each tool with those of other servers. */
interface Neighbours {
  /** The servers that have a tool, by its name. */
  readonly foreign: ReadonlyMap<string, readonly string[]>;
  readonly rivals: readonly Rival[];
  /** Indexes the tools of servers that changed; undefined if nothing changed. */
  prepare(urgency: Urgency): Promise<void> | undefined;
  /** Replaces the tools of a server. */
  swap(server: string, before: readonly ToolRow[], after: readonly ToolRow[]): void;
}

/** @param byServer the rows of each server; a list is replaced, never modified */
export function createNeighbours(byServer: ReadonlyMap<string, readonly ToolRow[]>): Neighbours {
  const foreign = new Map<string, string[]>();
  const grouped = new Map<string, Rival>();
  /** Servers whose tools changed since they were indexed. */
  const stale = new Set(byServer.keys());
  const underway: Partial<Record<Urgency, Promise<void>>> = {};
  let rivals: readonly Rival[] | undefined;

  /** Indexes changed servers until none is left, including those that change in the meantime. */
  function* groupingStale(): Generator<void, void> {
    for (const server of stale) {
      const rows = byServer.get(server);
      const rival = yield* grouping(server, rows ?? []);
      const isCurrent = byServer.get(server) === rows;
      stale.delete(server);
      if (isCurrent) keep(server, rival);
      else stale.add(server);
    }
  }

  function keep(server: string, rival: Rival): void {
    if (byServer.has(server)) grouped.set(server, rival);
    else grouped.delete(server);
  }

  function groupedNow(): readonly Rival[] {
    for (const server of stale) keep(server, rivalOf(server, byServer.get(server) ?? []));
    stale.clear();
    return [...byServer.keys()].map((server) => grouped.get(server)!);
  }

  return {
    foreign,
    get rivals() {
      rivals ??= groupedNow();
      return rivals;
    },
    prepare(urgency) {
      if (stale.size === 0) return undefined;
      // An urgent request does not wait for background work; background work waits for an urgent request.
      if (urgency === "background" && underway.asked) return underway.asked;
      const running = underway[urgency];
      if (running) return running;
      const started = runSteps(groupingStale(), urgency);
      if (!(started instanceof Promise)) return undefined;
      underway[urgency] = started.finally(() => delete underway[urgency]);
      return underway[urgency];
    },
    swap(server, before, after) {
      rivals = undefined;
      stale.add(server);
      const oldNames = new Set(before.map(({ name }) => name));
      for (const { name } of after) {
        if (oldNames.delete(name)) continue;
        const servers = foreign.get(name);
        if (servers) servers.push(server);
        else foreign.set(name, [server]);
      }
      for (const name of oldNames) {
        const left = foreign.get(name)?.filter((one) => one !== server) ?? [];
        if (left.length > 0) foreign.set(name, left);
        else foreign.delete(name);
      }
    },
  };
}
