import type { McpObject } from "../schema/mcp.ts";
import type { ConnectionContext } from "./connection-context.ts";
import { errorClassOf, UpstreamError } from "./errors.ts";
import { createHeartbeat, type Heartbeat } from "./heartbeat.ts";
import { createItemListing, type ItemListing } from "./item-listing.ts";
import type { OpenChannel } from "./open.ts";
import { createSender, type Sender } from "./protocol/sender.ts";
import type { serverTimings } from "./settings.ts";
import { signInAdvice } from "./sign-in-advice.ts";
import { createToolListing, type ToolListing } from "./tool-listing.ts";

interface ActiveConnectionOptions {
  server: string;
  opened: OpenChannel;
  around: ConnectionContext;
  times(): ReturnType<typeof serverTimings>;
  /** True while this is the current connection of the server. */
  current(): boolean;
  lost(error: Error): void;
  /** Called when the connection got a new session without being lost. */
  renewed(): void;
  mask(text: string): string;
  maskTool(text: string): string;
  /** The client capabilities that the proxy declares: the questions that the upstream may ask. */
  capabilities: McpObject;
}

/** The parts of one open connection: its sender, its listings and its health checks. */
export interface ActiveConnection {
  readonly opened: OpenChannel;
  readonly sender: Sender;
  readonly listing: ToolListing;
  readonly items: ItemListing;
  /** Call when the configured intervals may have changed. */
  retime(): void;
  stop(): void;
}

/** Returns the text for a failed listing in errors and logs of a connection. */
export const listingFailureText = (why: string): string => `Tool listing failed: ${why}`;

export function activateConnection(options: ActiveConnectionOptions): ActiveConnection {
  const { server, opened, around, times, current, lost, renewed, mask, maskTool, capabilities } = options;
  const { clock, events, log, serverLogs, catalog, client } = around;
  const { exchange, handshake } = opened;

  /** Opens a new session, because the upstream was restarted, and lists its tools again. */
  const renew = async () => {
    try {
      await handshake.family.handshake(opened, { client, capabilities, timeoutMs: times().init });
    } catch (error) {
      lost(error as Error);
      throw error;
    }
    renewed();
    serverLogs.write(server, "info", "it did not know our session any more; opened a new one");
    if (!current()) return;
    log.catch(`listening to "${server}"`, handshake.family.listen(opened));
    listing.changed();
    items.changed();
  };
  const advice = () => signInAdvice(around, server);
  const sender = createSender({ server, opened, renew, suspect: () => heartbeat.checkNow(), lost, mask, advice });
  const listing = createToolListing({
    server,
    opened,
    current,
    request: (method, params, timeoutMs) => sender.send(method, params, { timeoutMs }),
    maskTool,
    catalog,
    clock,
    log,
    changed({ error }) {
      if (error === undefined) serverLogs.write(server, "info", "its tools are listed");
      else serverLogs.write(server, "error", mask(listingFailureText(error)));
      events.publish("servers.changed", {
        server,
        reason: error === undefined ? "tools_listed" : "tools_listing_failed",
      });
    },
    pollMs: () => times().discovery,
    listening: (heard) => items.begin(heard),
  });
  const items = createItemListing({
    server,
    capabilities: handshake.capabilities,
    current,
    request: (method, params, timeoutMs) => sender.send(method, params, { timeoutMs }),
    mask: maskTool,
    catalog,
    clock,
    log,
    write: (level, line) => serverLogs.write(server, level, line),
    changed: (error) =>
      events.publish("servers.changed", {
        server,
        reason: error === undefined ? "items_listed" : "items_listing_failed",
      }),
    pollMs: () => times().discovery,
  });
  const heartbeat: Heartbeat = createHeartbeat({
    clock,
    intervalMs: () => times().health,
    ping: (timeoutMs) => sender.ping(timeoutMs),
    received: () => exchange.received,
    busy: () => exchange.requests.inFlight > 0,
    dead: (reason, cause) => lost(new UpstreamError(reason, { cause, errorClass: errorClassOf(cause) })),
    log: (line) => serverLogs.write(server, "warn", mask(line)),
  });
  listing.begin();

  return {
    opened,
    sender,
    listing,
    items,
    retime() {
      listing.retime();
      items.retime();
      heartbeat.retime();
    },
    stop() {
      listing.stop();
      items.stop();
      heartbeat.stop();
    },
  };
}
