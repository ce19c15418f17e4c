import { readFileSync } from "node:fs";
import type { SearchableTool } from "#lib/core/catalog/term-weights.ts";
import type { McpObject, RawTool } from "#lib/core/schema/mcp.ts";

/** A search query with the IDs of the correct tools. */
export interface Asked {
  readonly query: string;
  readonly relevant: readonly string[];
}

/** The tools of 70 public MCP servers, by server (test/data/livemcp_ATTRIBUTION.md). */
export function livemcpTools(): Map<string, RawTool[]> {
  const { tools } = JSON.parse(readFileSync("test/data/livemcp_tools.json", "utf8")) as {
    tools: { server: string; tool: string; description: string; inputSchema: McpObject }[];
  };
  const servers = new Map<string, RawTool[]>();
  for (const { server, tool, description, inputSchema } of tools) {
    const list = servers.get(server) ?? [];
    list.push({ name: tool, description, inputSchema });
    servers.set(server, list);
  }
  return servers;
}

/** These tools in the form of the index. */
export function livemcpSearchables(): SearchableTool[] {
  return [...livemcpTools()].flatMap(([server, tools]) =>
    tools.map(({ name, description = "", inputSchema = {} }) => {
      return { id: `${server}:${name}`, server, name, description, inputSchema };
    }),
  );
}

export function livemcpQueries(set: "dev" | "more"): Asked[] {
  const { queries } = JSON.parse(readFileSync(`test/data/livemcp_${set}_queries.json`, "utf8")) as { queries: Asked[] };
  return queries;
}

/**
 * Rates a search: the share of queries with a correct tool among the first 1, 5 and 10 results, and the mean reciprocal
 * rank.
 */
export async function recall(
  queries: readonly Asked[],
  search: (query: string, limit: number) => Promise<readonly string[]>,
) {
  const ranks: number[] = [];
  for (const { query, relevant } of queries)
    ranks.push((await search(query, 20)).findIndex((id) => relevant.includes(id)) + 1);
  const share = (k: number) => ranks.filter((rank) => rank > 0 && rank <= k).length / queries.length;
  const mrr = ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / queries.length;
  return { at1: share(1), at5: share(5), at10: share(10), mrr };
}
