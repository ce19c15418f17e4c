import { stat } from "node:fs/promises";
import { mcpPath } from "../../core/api/mcp-path.ts";
import type { App } from "../../core/app.ts";
import { Fault } from "../../core/base/fault.ts";
import { isLoopback, joinHost, parseHost } from "../../core/base/host-port.ts";
import { nearestWords } from "../../core/base/nearest.ts";
import type { Client } from "./client.ts";
import { CLIENTS } from "./clients.ts";

/** Default name of the proxy's entry. */
export const DEFAULT_NAME = "mcpproxy";

/** A client and the configuration file that applies on this machine. */
export interface Target {
  readonly client: Client;
  readonly path: string;
  /** Whether the file exists, by its metadata. */
  readonly exists: boolean;
  /** Every path that was checked. */
  readonly checked: readonly string[];
}

/** @throws Fault no_such_record */
export function clientOf(id: string): Client {
  const client = CLIENTS.find((c) => c.id === id);
  if (!client) {
    const ids = CLIENTS.map((other) => other.id);
    throw new Fault("no_such_record", { what: "client", id, near: nearestWords(id, ids, 2) });
  }
  return client;
}

/** Finds a client's file without opening any. */
export async function targetOf(app: App, client: Client): Promise<Target> {
  const checked = client.paths(app.boot.machine);
  for (const path of checked) if (await isThere(path)) return { client, path, exists: true, checked };
  return { client, path: checked[0]!, exists: false, checked };
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** This instance's MCP endpoint for clients on this machine; undefined when it has no HTTP listener. */
export function endpointOf(app: App): { url: string; loopback: boolean } | undefined {
  const { listen, server_edition, tls } = app.config.current();
  if (server_edition?.enabled && server_edition.public_url)
    return { url: `${server_edition.public_url.replace(/\/+$/, "")}/mcp`, loopback: false };
  const address = app.boot.listenAddr || listen;
  const found = parseHost(address.startsWith(":") ? `127.0.0.1${address}` : address);
  if (!found) return undefined;
  const everywhere = found.host === "0.0.0.0" || found.host === "::";
  const host = everywhere ? "127.0.0.1" : found.host;
  const scheme = tls.enabled ? "https" : "http";
  return { url: `${scheme}://${joinHost(host, found.port ?? 80)}/mcp`, loopback: isLoopback(found.host) };
}

/** Whether an address leads to this instance, by any name of this machine. */
export function isOurs(app: App, address: string): boolean {
  const ours = endpointOf(app);
  if (!ours || !URL.canParse(address)) return false;
  const [a, b] = [new URL(address), new URL(ours.url)];
  const sameHost = a.hostname === b.hostname || (isLocal(a) && isLocal(b));
  return sameHost && a.port === b.port && a.protocol === b.protocol && /^\/mcp(?:\/|$)/.test(mcpPath(a.pathname));
}

const isLocal = (url: URL) => isLoopback(url.hostname.replace(/^\[|\]$/g, ""));
