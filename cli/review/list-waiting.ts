import type { ItemEntry } from "#lib/core/schema/item-entry.ts";
import type { ServerRecord } from "#lib/core/schema/server-record.ts";
import type { ToolEntry } from "#lib/core/schema/tool-entry.ts";
import type { Cli } from "../cli.ts";
import { UsageError } from "../exit.ts";
import { waitingItems } from "../waiting-items.ts";
import { graveFindings, waitingTools } from "../waiting-tools.ts";

/** A server with something that waits for review. */
export interface WaitingServer {
  server: ServerRecord;
  /**
   * held: never started; quarantined: none of its tools can be called; released: only the tools and items below wait.
   */
  state: "held" | "quarantined" | "released";
  /** Why it waits, or the error that prevents listing its tools. */
  why: string;
  /** Tools with severe findings first, then by name. */
  tools: ToolEntry[];
  /** Prompts, resources and templates, in the same order. */
  items: ItemEntry[];
}

/**
 * Lists everything that waits for review on enabled servers: held servers first, then quarantined ones.
 *
 * @param only names of servers; empty means all
 * @throws UsageError for an unknown name
 */
export async function listWaiting(cli: Cli, only: readonly string[]): Promise<WaitingServer[]> {
  const { servers } = await cli.call("GET /api/v1/servers", {});
  const unknown = only.find((name) => !servers.some((server) => server.name === name));
  if (unknown !== undefined) throw new UsageError(`server "${unknown}" not found`);
  const selected = servers.filter(({ name, enabled }) => enabled && (only.length === 0 || only.includes(name)));
  const found = await Promise.all(
    selected.map(async (server): Promise<WaitingServer> => {
      const [tools, items] = await Promise.all([waitingTools(cli, server.name), waitingItems(cli, server.name)]);
      tools.sort(gravestFirst);
      items.sort(gravestFirst);
      const state = server.held ? "held" : server.quarantined ? "quarantined" : "released";
      return { server, state, why: server.last_error ?? server.health.summary, tools, items };
    }),
  );
  const rank = { held: 0, quarantined: 1, released: 2 };
  return found
    .filter(({ state, tools, items }) => state !== "released" || tools.length + items.length > 0)
    .sort((a, b) => rank[a.state] - rank[b.state]);
}

function gravestFirst(a: ToolEntry | ItemEntry, b: ToolEntry | ItemEntry): number {
  return graveFindings(b).length - graveFindings(a).length || (a.name < b.name ? -1 : 1);
}
