import type { Clock } from "../base/clock.ts";
import { reasonOf } from "../base/fault.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Logger } from "../log/logger.ts";
import { ITEM_WORDS, type ListedKind } from "../schema/item.ts";
import { type McpObject, type Reply, RPC, RpcError } from "../schema/mcp.ts";
import type { ServerCapabilities } from "../schema/server-capabilities.ts";
import { discoverEntries, type ListMethod } from "./discover-tools.ts";
import { createListingSchedule, type ListingSchedule } from "./listing-schedule.ts";

interface ItemListingOptions {
  server: string;
  capabilities: ServerCapabilities;
  /** True while this is the current connection of the server. */
  current(): boolean;
  request(method: string, params: McpObject, timeoutMs: number): Promise<Reply>;
  /** Replaces the server's secrets in a text of an item. */
  mask(text: string): string;
  catalog: Catalog;
  clock: Clock;
  log: Logger;
  /** Writes a line to the server's log. */
  write(level: "info" | "error", line: string): void;
  /**
   * Called when a listing fails for a new reason (with the error), and when all lists succeed again (with undefined).
   */
  changed(error: string | undefined): void;
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

/** The lists that are requested together, by the capability that declares them. */
const GROUPS = [
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
] as const satisfies readonly {
  capability: "prompts" | "resources";
  announcement: string;
  lists: readonly (readonly [ListedKind, ListMethod])[];
}[];

export function createItemListing(options: ItemListingOptions): ItemListing {
  const { server, capabilities, current, request, mask, catalog, clock, log, write, changed, pollMs } = options;
  const schedules = new Map<string, { schedule: ListingSchedule; announces: boolean }>();
  /**
   * Why the last listing of each group failed, by the group's notification. The groups succeed and fail independently.
   */
  const failures = new Map<string, string>();

  const failed = (announcement: string, error: unknown): void => {
    if (!current()) return;
    const why = mask(error instanceof RpcError ? `error ${error.code}: ${error.message}` : reasonOf(error));
    if (failures.get(announcement) === why) return;
    failures.set(announcement, why);
    const line = `${ITEM_LISTING_FAILED}: ${why}`;
    log.warn(`server "${server}": ${line}`, { server });
    write("error", line);
    changed(why);
  };

  const succeeded = (announcement: string): void => {
    if (!failures.delete(announcement) || failures.size > 0) return;
    write("info", "its prompts and resources are listed");
    changed(undefined);
  };

  /**
   * Returns the entries of a list; none if the server does not know the method, although it declares the capability.
   */
  async function entriesOf(method: ListMethod): Promise<unknown[]> {
    try {
      return await discoverEntries(method, { request, now: clock.now });
    } catch (error) {
      if (error instanceof RpcError && error.code === RPC.methodNotFound) return [];
      throw error;
    }
  }

  for (const { capability, announcement, lists } of GROUPS) {
    const declared = capabilities[capability];
    if (!declared) continue;
    const schedule = createListingSchedule({
      clock,
      pollMs,
      failed: (error) => failed(announcement, error),
      async list(reason) {
        for (const [kind, method] of lists) {
          log.debug(`listing the ${ITEM_WORDS[kind].plural} of "${server}" (${reason})`, { server });
          const entries = await entriesOf(method);
          if (!current()) return;
          await catalog.items.accept(server, kind, entries, mask);
        }
        succeeded(announcement);
      },
    });
    schedules.set(announcement, { schedule, announces: declared.listChanged });
  }

  /** Removes items of an earlier run if the server no longer declares their kind. */
  async function forgetUndeclared(): Promise<void> {
    for (const { capability, lists } of GROUPS)
      for (const [kind] of lists)
        if (!capabilities[capability] && current() && catalog.items.of(server, kind).length > 0)
          await catalog.items.accept(server, kind, []);
  }

  return {
    begin(heard) {
      log.catch(`forgetting items of "${server}"`, forgetUndeclared());
      for (const [announcement, { schedule, announces }] of schedules) {
        void schedule.now("connected").catch((error: unknown) => failed(announcement, error));
        if (!(announces && heard)) schedule.poll();
      }
    },
    notified(method) {
      const one = schedules.get(method);
      one?.schedule.listChanged();
      return one !== undefined;
    },
    changed() {
      for (const { schedule } of schedules.values()) schedule.listChanged();
    },
    retime() {
      for (const { schedule } of schedules.values()) schedule.retime();
    },
    async now(reason) {
      for (const [announcement, { schedule }] of schedules)
        await schedule.now(reason).catch((error: unknown) => failed(announcement, error));
    },
    error: () => failures.values().next().value,
    async idle() {
      for (const { schedule } of schedules.values()) await schedule.idle();
    },
    stop() {
      for (const { schedule } of schedules.values()) schedule.stop();
    },
  };
}
