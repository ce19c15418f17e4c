import type { ListedKind } from "#lib/core/schema/item.ts";
import type { ItemEntry } from "#lib/core/schema/item-entry.ts";
import type { Cli } from "./cli.ts";

/** The prompts, resources or templates of one server, or of all servers. */
export async function itemEntriesOf(
  cli: Cli,
  server: string | undefined,
  kinds: readonly ListedKind[],
): Promise<ItemEntry[]> {
  const lists = kinds.map(async (kind) => (await listOf(cli, server, kind)).items);
  return (await Promise.all(lists)).flat();
}

function listOf(cli: Cli, server: string | undefined, kind: ListedKind): Promise<{ items: ItemEntry[] }> {
  if (server === undefined) return cli.call(ALL[kind], {});
  return cli.call(OF_ONE[kind], { params: { name: server } });
}

const ALL = {
  prompt: "GET /api/v1/prompts",
  resource: "GET /api/v1/resources",
  template: "GET /api/v1/resource-templates",
} as const;

const OF_ONE = {
  prompt: "GET /api/v1/servers/{name}/prompts",
  resource: "GET /api/v1/servers/{name}/resources",
  template: "GET /api/v1/servers/{name}/resource-templates",
} as const;
