import type { Api } from "#handlers/routes.gen.ts";
import type { DataOf } from "#lib/client/client.ts";
import { RestError } from "#lib/client/error.ts";
import { nearestWords } from "#lib/core/base/nearest.ts";
import type { Cli } from "./cli.ts";
import { splitTool } from "./ids.ts";

/** A listed tool with its schemas. */
type ListedTool = DataOf<Api["GET /api/v1/servers/{name}/tools"]>["tools"][number];

/**
 * Finds a listed tool by `server:tool`.
 *
 * @returns undefined if the server does not list it, or the key may not read its tools
 */
export async function findTool(cli: Cli, id: string): Promise<ListedTool | undefined> {
  if (!id.includes(":")) return undefined;
  const { server, tool } = splitTool(id);
  return (await toolsOf(cli, server)).find(({ name }) => name === tool);
}

/** A listed tool. @throws Error with similar names if there is none */
export async function requireTool(cli: Cli, id: string): Promise<ListedTool> {
  const { server, tool } = splitTool(id);
  const { tools } = await cli.call("GET /api/v1/servers/{name}/tools", { params: { name: server } });
  const found = tools.find(({ name }) => name === tool);
  if (found) return found;
  const near = nearestWords(
    tool,
    tools.map(({ name }) => name),
    3,
  ).map((name) => `${server}:${name}`);
  throw new Error(
    `server "${server}" lists no tool "${tool}"${near.length > 0 ? `; did you mean ${near.join(" or ")}?` : `; see: ${cli.self} tools list -s ${server}`}`,
  );
}

async function toolsOf(cli: Cli, server: string): Promise<readonly ListedTool[]> {
  try {
    return (await cli.call("GET /api/v1/servers/{name}/tools", { params: { name: server } })).tools;
  } catch (error) {
    if (error instanceof RestError) return [];
    throw error;
  }
}
