import type { Clock } from "../base/clock.ts";
import { reasonOf } from "../base/fault.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Logger } from "../log/logger.ts";
import { ITEM_WORDS, type ListedKind } from "../schema/item.ts";
import { type McpObject, type Reply, RPC, RpcError } from "../schema/mcp.ts";
import type { ServerCapabilities } from "../schema/server-capabilities.ts";
import { discoverEntries, type ListMethod } from "./discover-tools.ts";
import { createListingSchedule, type ListingSchedule, type ListingScheduleOptions } from "./listing-schedule.ts";

export interface ItemListingOptions {
  server: string;
  capabilities: ServerCapabilities;
  /** True while this is the current connection of the server. */
  isCurrent(): boolean;
  request(method: string, params: McpObject, timeoutMs: number): Promise<Reply>;
  /** Replaces the server's secrets in a text of an item. */
  readonly maskTool: (text: string) => string;
  catalog: Catalog;
  clock: Clock;
  log: Logger;
  /** Writes a line to the server's log. */
  write(level: "info" | "error", line: string): void;
  /**
   * Called when a listing fails for a new reason (with the error), and when all lists succeed again (with undefined).
   */
  itemsChanged(error: string | undefined): void;
  /** Returns the current interval of polling (ms); 0: none. */
  pollMs(): number;
}

/** Keeps the prompts, resources and resource templates in the catalog up to date for one connection. */
export interface ItemListing {
  /** Requests the lists that the server declares. `heard` says whether its notifications can be received. */
  begin(heard: boolean): void;
  /** Handles a notification. Returns true if it was about a changed list. */
  notified(method: string): boolean;
  /** Call when lists may have changed without a notification. */
  changed(): void;
  /** Call when the interval of polling may have changed. */
  retime(): void;
  /** Requests all lists now; failures are logged. */
  now(reason: string): Promise<void>;
  /** Returns why the last listing failed, without the server's secrets; undefined if it succeeded. */
  error(): string | undefined;
  /** Resolves when no listing is in progress. */
  idle(): Promise<void>;
  stop(): void;
}

/** The beginning of the log line about a failure. */
const ITEM_LISTING_FAILED = "listing its prompts and resources failed";

/** The lists that are requested together. */
interface Group {
  /** The capability that declares them. */
  readonly capability: "prompts" | "resources";
  /** The notification that they changed. */
  readonly announcement: string;
  readonly lists: readonly (readonly [ListedKind, ListMethod])[];
}

const GROUPS: readonly Group[] = [
  {
    capability: "prompts",
    announcement: "notifications/prompts/list_changed",
    lists: [["prompt", "prompts/list"]],
  },
  {
    capability: "resources",
    announcement: "notifications/resources/list_changed",
    lists: [
      ["resource", "resources/list"],
      ["template", "resources/templates/list"],
    ],
  },
];

/** @param options used for as long as the connection is open */
export function createItemListing(options: ItemListingOptions): ItemListing {
  return new GroupedItemListing(options);
}

/** A class takes less memory than closures, and each open connection has one of these. */
class GroupedItemListing implements ItemListing {
  readonly options: ItemListingOptions;
  /** Of the groups that the server declares. */
  private readonly groups: readonly ListedGroup[];

  constructor(options: ItemListingOptions) {
    this.options = options;
    const declared = GROUPS.filter(({ capability }) => options.capabilities[capability]);
    this.groups = declared.length === 0 ? NO_GROUPS : declared.map((group) => new ListedGroup(this, group));
  }

  begin(heard: boolean): void {
    const { log, server, capabilities } = this.options;
    log.catch(`forgetting items of "${server}"`, this.forgetUndeclared());
    for (const listed of this.groups) {
      void listed.schedule.now("connected").catch((error: unknown) => listed.failed(error));
      if (!(capabilities[listed.group.capability]?.listChanged && heard)) listed.schedule.poll();
    }
  }

  notified(method: string): boolean {
    const one = this.groups.find(({ group }) => group.announcement === method);
    one?.schedule.listChanged();
    return one !== undefined;
  }

  changed(): void {
    for (const { schedule } of this.groups) schedule.listChanged();
  }

  retime(): void {
    for (const { schedule } of this.groups) schedule.retime();
  }

  async now(reason: string): Promise<void> {
    for (const listed of this.groups) await listed.schedule.now(reason).catch((error: unknown) => listed.failed(error));
  }

  error(): string | undefined {
    return this.groups.find(({ failure }) => failure !== undefined)?.failure;
  }

  async idle(): Promise<void> {
    for (const { schedule } of this.groups) await schedule.idle();
  }

  stop(): void {
    for (const { schedule } of this.groups) schedule.stop();
  }

  /** Removes items of an earlier run if the server no longer declares their kind. */
  private async forgetUndeclared(): Promise<void> {
    const { server, capabilities, catalog } = this.options;
    for (const { capability, lists } of GROUPS)
      for (const [kind] of lists)
        if (!capabilities[capability] && this.options.isCurrent() && catalog.items.of(server, kind).length > 0)
          await catalog.items.accept(server, kind, []);
  }
}

/** The lists of one group. The groups succeed and fail independently. */
class ListedGroup implements ListingScheduleOptions {
  readonly clock: Clock;
  readonly group: Group;
  readonly schedule: ListingSchedule;
  /** Why the last listing failed, without the server's secrets. */
  failure: string | undefined = undefined;
  private readonly listing: GroupedItemListing;

  constructor(listing: GroupedItemListing, group: Group) {
    this.clock = listing.options.clock;
    this.group = group;
    this.listing = listing;
    this.schedule = createListingSchedule(this);
  }

  pollMs(): number {
    return this.listing.options.pollMs();
  }

  async list(reason: string): Promise<void> {
    const { options } = this.listing;
    const { server, log, catalog, maskTool } = options;
    for (const [kind, method] of this.group.lists) {
      log.debug(`listing the ${ITEM_WORDS[kind].plural} of "${server}" (${reason})`, { server });
      const entries = await entriesOf(method, options);
      if (!options.isCurrent()) return;
      await catalog.items.accept(server, kind, entries, maskTool);
    }
    this.succeeded();
  }

  failed(error: unknown): void {
    const { options } = this.listing;
    if (!options.isCurrent()) return;
    const { server, log, maskTool } = options;
    const why = maskTool(error instanceof RpcError ? `error ${error.code}: ${error.message}` : reasonOf(error));
    if (this.failure === why) return;
    this.failure = why;
    const line = `${ITEM_LISTING_FAILED}: ${why}`;
    log.warn(`server "${server}": ${line}`, { server });
    options.write("error", line);
    options.itemsChanged(why);
  }

  private succeeded(): void {
    const hasFailed = this.failure !== undefined;
    this.failure = undefined;
    if (!hasFailed || this.listing.error() !== undefined) return;
    const { options } = this.listing;
    options.write("info", "its prompts and resources are listed");
    options.itemsChanged(undefined);
  }
}

const NO_GROUPS: readonly ListedGroup[] = [];

/** Returns the entries of a list; none if the server does not know the method, although it declares the capability. */
async function entriesOf(method: ListMethod, options: ItemListingOptions): Promise<unknown[]> {
  try {
    return await discoverEntries(method, {
      request: (...sent) => options.request(...sent),
      now: options.clock.now,
    });
  } catch (error) {
    if (error instanceof RpcError && error.code === RPC.methodNotFound) return [];
    throw error;
  }
}
