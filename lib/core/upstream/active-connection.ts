import type { Clock } from "../base/clock.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Logger } from "../log/logger.ts";
import type { ListingStatus } from "../schema/connection-status.ts";
import type { McpObject, Reply } from "../schema/mcp.ts";
import type { ServerCapabilities } from "../schema/server-capabilities.ts";
import type { ConnectionContext } from "./connection-context.ts";
import { errorClassOf, UpstreamError } from "./errors.ts";
import { createHeartbeat, type Heartbeat, type HeartbeatOptions } from "./heartbeat.ts";
import { createItemListing, type ItemListing, type ItemListingOptions } from "./item-listing.ts";
import type { OpenChannel } from "./open.ts";
import { createSender, type Sender, type SenderOptions } from "./protocol/sender.ts";
import type { serverTimings } from "./settings.ts";
import { type SignInAdvice, signInAdvice } from "./sign-in-advice.ts";
import { createToolListing, type ToolListing, type ToolListingOptions } from "./tool-listing.ts";

/** The connection of which this is an open one. */
export interface ActiveConnectionOwner {
  readonly name: string;
  readonly around: ConnectionContext;
  /** Replaces the secrets of the server's definition in a text. */
  readonly mask: (text: string) => string;
  /** Like `mask`, for the texts of a tool or another item. */
  readonly maskTool: (text: string) => string;
  times(): ReturnType<typeof serverTimings>;
  /** The client capabilities that the proxy declares: the questions that the upstream may ask. */
  declaredCapabilities(): McpObject;
  /** True while this is the current channel of the server. */
  isCurrent(opened: OpenChannel): boolean;
  lost(opened: OpenChannel, error: Error): void;
  /** Called when the connection got a new session without being lost. */
  renewed(active: ActiveConnection): void;
}

/** Returns the text for a failed listing in errors and logs of a connection. */
export const listingFailureText = (why: string): string => `Tool listing failed: ${why}`;

/**
 * One open connection with its parts: its sender, its listings and its health checks.
 *
 * A class that is the options of its parts, because there is one for each server: as closures, its functions and theirs
 * would take 5 KB for each server.
 */
export class ActiveConnection implements SenderOptions, ToolListingOptions, ItemListingOptions, HeartbeatOptions {
  readonly opened: OpenChannel;
  readonly sender: Sender;
  readonly listing: ToolListing;
  readonly items: ItemListing;
  private readonly owner: ActiveConnectionOwner;
  private readonly heartbeat: Heartbeat;

  constructor(owner: ActiveConnectionOwner, opened: OpenChannel) {
    this.owner = owner;
    this.opened = opened;
    this.sender = createSender(this);
    this.listing = createToolListing(this);
    this.items = createItemListing(this);
    this.heartbeat = createHeartbeat(this);
    this.listing.begin();
  }

  get server(): string {
    return this.owner.name;
  }

  get clock(): Clock {
    return this.owner.around.clock;
  }

  get log(): Logger {
    return this.owner.around.log;
  }

  get catalog(): Catalog {
    return this.owner.around.catalog;
  }

  get capabilities(): ServerCapabilities {
    return this.opened.handshake.capabilities;
  }

  get mask(): (text: string) => string {
    return this.owner.mask;
  }

  get maskTool(): (text: string) => string {
    return this.owner.maskTool;
  }

  /** Call when the configured intervals may have changed. */
  retime(): void {
    this.listing.retime();
    this.items.retime();
    this.heartbeat.retime();
  }

  stop(): void {
    this.listing.stop();
    this.items.stop();
    this.heartbeat.stop();
  }

  isCurrent(): boolean {
    return this.owner.isCurrent(this.opened);
  }

  request(method: string, params: McpObject, timeoutMs: number): Promise<Reply> {
    return this.sender.send(method, params, { timeoutMs });
  }

  /** Opens a new session, because the upstream was restarted, and lists its tools again. */
  async renew(): Promise<void> {
    const { owner, opened } = this;
    const { client, serverLogs, log } = owner.around;
    const { family } = opened.handshake;
    try {
      await family.handshake(opened, {
        client,
        capabilities: owner.declaredCapabilities(),
        timeoutMs: owner.times().init,
      });
    } catch (error) {
      owner.lost(opened, error as Error);
      throw error;
    }
    owner.renewed(this);
    serverLogs.write(owner.name, "info", "it did not know our session any more; opened a new one");
    if (!this.isCurrent()) return;
    log.catch(`listening to "${owner.name}"`, family.listen(opened));
    this.listing.changed();
    this.items.changed();
  }

  suspect(): void {
    this.heartbeat.checkNow();
  }

  lost(opened: OpenChannel, error: Error): void {
    this.owner.lost(opened, error);
  }

  advice(): SignInAdvice {
    return signInAdvice(this.owner.around, this.owner.name);
  }

  toolsChanged({ error }: ListingStatus): void {
    const { name: server, around } = this.owner;
    if (error === undefined) this.write("info", "its tools are listed");
    else this.write("error", this.mask(listingFailureText(error)));
    const reason = error === undefined ? "tools_listed" : "tools_listing_failed";
    around.events.publish("servers.changed", { server, reason });
  }

  listening(heard: boolean): void {
    this.items.begin(heard);
  }

  itemsChanged(error: string | undefined): void {
    const { name: server, around } = this.owner;
    const reason = error === undefined ? "items_listed" : "items_listing_failed";
    around.events.publish("servers.changed", { server, reason });
  }

  pollMs(): number {
    return this.owner.times().discovery;
  }

  write(level: "info" | "error" | "warn", line: string): void {
    this.owner.around.serverLogs.write(this.owner.name, level, line);
  }

  intervalMs(): number {
    return this.owner.times().health;
  }

  ping(timeoutMs: number): Promise<void> {
    return this.sender.ping(timeoutMs);
  }

  received(): number {
    return this.opened.exchange.received;
  }

  busy(): boolean {
    return this.opened.exchange.requests.inFlight > 0;
  }

  dead(reason: string, cause: unknown): void {
    this.lost(this.opened, new UpstreamError(reason, { cause, errorClass: errorClassOf(cause) }));
  }

  /** Writes the line about a failed health check. */
  logMiss(line: string): void {
    this.write("warn", this.mask(line));
  }
}
