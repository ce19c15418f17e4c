import type { App } from "../app.ts";
import { mayBeMappedUri, uriMap } from "../catalog/uri-map.ts";
import { matchesUriTemplate, templateEffort } from "../catalog/uri-template.ts";
import { splitToolId } from "../policy/tool-id.ts";
import type { CallToolResult, McpObject, Reply } from "../schema/mcp.ts";
import { holdsText, holdsUris, mapReplyUris, unmapArguments } from "./map-reply-uris.ts";

/**
 * Maps the URIs of a server's resources in a tool's response to those under which clients can read them. Responses of a
 * server without resources are not changed, because its URIs could not be read.
 *
 * @param id the id of the tool
 */
export function mapToolUris(
  app: App,
  id: string,
  reply: Reply<CallToolResult>,
): Reply<CallToolResult> | Promise<Reply<CallToolResult>> {
  const server = holdsUris("tools/call", reply.result) ? resourceServerOf(app, id) : undefined;
  if (server === undefined) return reply;
  const { map } = uriMap(server);
  const isListed = listedBy(app, server);
  // A client can fetch the URL of a web page by itself.
  const change = (uri: string) => (WEB.test(uri) && !isListed(uri) ? uri : map(uri));
  return mapReplyUris("tools/call", reply, change);
}

/**
 * Maps the URIs in arguments back to those of the tool's server. Before a server has connected, it is unknown whether it
 * has resources; a client that knows mapped URIs has them from an earlier run.
 */
export function unmapToolArguments(app: App, id: string, args: McpObject): McpObject | Promise<McpObject> {
  if (!holdsText(args, mayBeMappedUri)) return args;
  const named = splitToolId(id)?.server;
  const upstream = named === undefined ? undefined : app.upstreams.get(named);
  const server = upstream && !upstream.capabilities ? named : resourceServerOf(app, id);
  return server === undefined ? args : unmapArguments(args, uriMap(server).unmap);
}

const WEB = /^https?:/i;

function resourceServerOf(app: App, id: string): string | undefined {
  const server = splitToolId(id)?.server;
  return server !== undefined && app.upstreams.get(server)?.capabilities?.resources ? server : undefined;
}

/** Returns a function that says whether a server lists a URI or has a template for it. */
function listedBy(app: App, server: string): (uri: string) => boolean {
  const { items } = app.catalog;
  const templates = items.of(server, "template").filter((row) => row.present);
  const effort = templateEffort();
  return (uri) =>
    items.get("resource", server, uri)?.present === true ||
    templates.some((row) => matchesUriTemplate(row.name, uri, effort) === true);
}
