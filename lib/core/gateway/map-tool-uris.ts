import type { App } from "../app.ts";
import { uriMap } from "../catalog/uri-map.ts";
import { matchesUriTemplate, templateEffort } from "../catalog/uri-template.ts";
import { splitToolId } from "../policy/tool-id.ts";
import type { CallToolResult, McpObject, Reply } from "../schema/mcp.ts";
import { holdsUris, mapReplyUris, unmapArguments } from "./map-reply-uris.ts";

/**
 * A tool's answer with the URIs of its server's resources as clients read them here. The answers of a server without
 * resources pass as they come, since nobody could read its URIs.
 *
 * @param id of the tool
 */
export function mapToolUris(
  app: App,
  id: string,
  reply: Reply<CallToolResult>,
): Reply<CallToolResult> | Promise<Reply<CallToolResult>> {
  const server = resourceServerOf(app, id);
  if (server === undefined || !holdsUris("tools/call", reply.result)) return reply;
  const { map } = uriMap(server);
  const isListed = listedBy(app, server);
  // A client can fetch a link to the web itself.
  const change = (uri: string) => (WEB.test(uri) && !isListed(uri) ? uri : map(uri));
  return mapReplyUris("tools/call", reply, change);
}

/** The way back: arguments with the URIs as the tool's server knows them. */
export function unmapToolArguments(app: App, id: string, args: McpObject): McpObject | Promise<McpObject> {
  const server = resourceServerOf(app, id);
  return server === undefined ? args : unmapArguments(args, uriMap(server).unmap);
}

const WEB = /^https?:/i;

function resourceServerOf(app: App, id: string): string | undefined {
  const server = splitToolId(id)?.server;
  return server !== undefined && app.upstreams.get(server)?.capabilities?.resources ? server : undefined;
}

/** Whether a server lists a URI or has a template for it. */
function listedBy(app: App, server: string): (uri: string) => boolean {
  const { items } = app.catalog;
  const templates = items.of(server, "template").filter((row) => row.present);
  const effort = templateEffort();
  return (uri) =>
    items.get("resource", server, uri)?.present === true ||
    templates.some((row) => matchesUriTemplate(row.name, uri, effort) === true);
}
