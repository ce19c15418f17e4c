import type { Clock } from "../base/clock.ts";
import { reasonOf } from "../base/fault.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Logger } from "../log/log.ts";
import { type JsonObject, type RawTool, type Reply, RPC, RpcError } from "../shape/mcp.ts";
import { createChanges } from "./changes.ts";
import { discover } from "./discover.ts";
import { boundedLines } from "./noise.ts";
import type { Opened } from "./open.ts";

export interface ListingOptions {
  server: string;
  opened: Opened;
  /** Whether this connection still is the one that counts. */
  current(): boolean;
  request(method: string, params: JsonObject, timeoutMs: number): Promise<Reply>;
  /** Replaces the server's own secrets in a text of a tool. */
  maskTool(text: string): string;
  catalog: Catalog;
  clock: Clock;
  log: Logger;
  /** Interval of polling in force now (ms); 0: none. */
  pollMs(): number;
}

/** Keeps the catalog in step with the tools of one connection. */
export interface Listing {
  /** Lists for the first time and listens for changes from then on. */
  begin(): void;
  /** `notifications/tools/list_changed` came. */
  announced(): void;
  /** The tools may have changed without a word. */
  changed(): void;
  now(reason: string): Promise<void>;
  /** Resolves when no listing runs any more. */
  idle(): Promise<void>;
  stop(): void;
}

/** A flood of announcements is no flood of log lines. */
const LOG_BOUND = { lines: 5, windowMs: 10_000 };

export function createListing(options: ListingOptions): Listing {
  const { server, opened, current, maskTool, catalog, clock, log, pollMs } = options;
  const { greeting } = opened;
  const facts = { server };
  const skipped = boundedLines(clock, LOG_BOUND, (why) => log.warn(`in the tool list of "${server}": ${why}`, facts));

  /** A server that declares no tools is asked all the same; many forget to declare them. */
  const listed = async (): Promise<RawTool[]> => {
    try {
      return await discover({ request: options.request, now: clock.now, skipped });
    } catch (error) {
      if (!greeting.tools && error instanceof RpcError && error.code === RPC.methodNotFound) return [];
      throw error;
    }
  };
  const changes = createChanges({
    clock,
    pollMs,
    async list(reason) {
      log.debug(`tool discovery of "${server}" triggered (${reason})`, facts);
      const tools = await listed();
      if (!current()) return;
      greeting.learn?.(tools);
      const found = await catalog.accept(server, tools, greeting.instructions, maskTool);
      log.debug(`"${server}" has ${found.total} tools`, { ...facts, ...counts(found) });
    },
    failed: (error) => {
      if (current()) log.warn(`tool discovery of "${server}" failed: ${reasonOf(error)}`, facts);
    },
  });
  const said = boundedLines(clock, LOG_BOUND, (line) => {
    if (greeting.listChanged) log.info(line, facts);
    else log.warn(line, facts);
  });
  const received = greeting.listChanged
    ? `tools/list_changed received from "${server}"`
    : `tools/list_changed received from "${server}", which did not advertise it`;

  return {
    begin() {
      log.catch(`listing the tools of "${server}"`, begin());
    },
    announced() {
      said(received);
      changes.announced();
    },
    changed: changes.announced,
    now: changes.now,
    idle: changes.idle,
    stop: changes.stop,
  };

  async function begin(): Promise<void> {
    if (greeting.listChanged) log.debug(`handler for tools/list_changed of "${server}" registered`, facts);
    const first = changes.now("connected").catch((error) => {
      if (current()) log.warn(`tool discovery of "${server}" failed: ${reasonOf(error)}`, facts);
    });
    const heard = await greeting.era.listen(opened);
    await first;
    if (current() && !(greeting.listChanged && heard)) changes.poll();
  }
}

const counts = (found: { added: string[]; changed: string[]; removed: string[] }) => ({
  added: found.added.length,
  changed: found.changed.length,
  removed: found.removed.length,
});
