import type { Clock } from "../base/clock.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import { nextLoopTurn } from "../base/loop-share.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Logger } from "../log/logger.ts";
import type { ListingStatus } from "../schema/connection-status.ts";
import { type McpObject, type Reply, RPC, RpcError } from "../schema/mcp.ts";
import { DISCOVERY_TIMEOUT_MS, discoverTools } from "./discover-tools.ts";
import { createListingSchedule } from "./listing-schedule.ts";
import type { OpenChannel } from "./open.ts";
import { limitLineRate } from "./stdio/throttle.ts";

interface ToolListingOptions {
  server: string;
  opened: OpenChannel;
  /** True while this is the current connection of the server. */
  current(): boolean;
  request(method: string, params: McpObject, timeoutMs: number): Promise<Reply>;
  /** Replaces the server's secrets in a text of a tool. */
  maskTool(text: string): string;
  catalog: Catalog;
  clock: Clock;
  log: Logger;
  /** Called when the status changes: the listing failed, failed for another reason, or succeeded. */
  changed(status: ListingStatus): void;
  /** Returns the current interval of polling (ms); 0: none. */
  pollMs(): number;
  /** Called when the tools were listed for the first time. `heard`: notifications can be received. */
  listening?(heard: boolean): void;
}

/** Keeps the tools in the catalog up to date for one connection. */
export interface ToolListing {
  status(): ListingStatus;
  /** Lists the tools for the first time and listens for changes from then on. */
  begin(): void;
  /** Handles `notifications/tools/list_changed`. */
  listChanged(): void;
  /** Call when the tools may have changed without a notification. */
  changed(): void;
  /** Call when the interval of polling may have changed. */
  retime(): void;
  now(reason: string): Promise<void>;
  /** Resolves when no listing is in progress. */
  idle(): Promise<void>;
  stop(): void;
}

/** Maximum number of tools of one connection whose rejection is logged. */
const MAX_REPORTED_TOOLS = 100;
/** Maximum length of a log line that quotes a tool. (characters) */
const MAX_LINE = 500;

/** Limits the log lines about listings, because a server may send many notifications. */
const LOG_BOUND = { lines: 5, windowMs: 10_000 };

export function createToolListing(options: ToolListingOptions): ToolListing {
  const { server, opened, current, maskTool, catalog, clock, log, pollMs } = options;
  const { handshake } = opened;
  const facts = { server };
  let status: ListingStatus = { listed: false };

  /** Requests the tools. A server that declares none is asked as well, because many forget to declare them. */
  const listed = async (): Promise<unknown[]> => {
    try {
      return await discoverTools({ request: options.request, now: clock.now });
    } catch (error) {
      if (!handshake.tools && error instanceof RpcError && error.code === RPC.methodNotFound) return [];
      // The advice in `call_timeout` would be wrong, because the time limit of a listing is fixed.
      if (error instanceof Fault && error.code === "call_timeout")
        throw new Fault("upstream_failed", { server, reason: UNANSWERED }, { cause: error });
      throw error;
    }
  };
  const enter = (next: ListingStatus): void => {
    const before = status;
    status = next;
    if (before.error !== next.error || before.listed !== next.listed) options.changed(next);
  };
  /** The last error that was logged. Several callers may join one failed listing, but it is logged once. */
  let reported: unknown;
  const failed = (error: unknown): void => {
    if (!current() || error === reported) return;
    reported = error;
    const why = whyListingFailed(error);
    log.warn(`tool discovery of "${server}" failed: ${why}`, facts);
    enter({ ...status, error: why });
  };
  const reportedTools = new Set<string>();
  /** Logs a rejected tool once, not at each listing. */
  const rejected = (tool: string, reason: string): void => {
    if (reportedTools.has(tool) || reportedTools.size >= MAX_REPORTED_TOOLS) return;
    reportedTools.add(tool);
    log.warn(maskTool(`tool "${tool}" of "${server}" is left out: ${reason}`).slice(0, MAX_LINE), facts);
  };
  const changes = createListingSchedule({
    clock,
    pollMs,
    async list(reason) {
      log.debug(`tool discovery of "${server}" triggered (${reason})`, facts);
      const tools = await listed();
      if (!current()) return;
      const offered = handshake.learnTools ? await handshake.learnTools(tools, rejected) : tools;
      if (!current()) return;
      const found = await catalog.acceptListing(server, offered, handshake.instructions, maskTool);
      if (current()) enter({ listed: true });
      log.debug(`"${server}" has ${found.total} tools`, { ...facts, ...counts(found) });
    },
    failed,
  });
  const said = limitLineRate(clock, LOG_BOUND, (line) => {
    if (handshake.listChanged) log.info(line, facts);
    else log.warn(line, facts);
  });
  const received = handshake.listChanged
    ? `tools/list_changed received from "${server}"`
    : `tools/list_changed received from "${server}", which did not advertise it`;

  return {
    status: () => status,
    begin() {
      log.catch(`listing the tools of "${server}"`, begin());
    },
    listChanged() {
      said(received);
      changes.listChanged();
    },
    changed: changes.listChanged,
    retime: changes.retime,
    now: (reason) =>
      changes.now(reason).catch((error) => {
        failed(error);
        throw error instanceof Fault
          ? error
          : new Fault("upstream_failed", { server, reason: whyListingFailed(error) });
      }),
    idle: changes.idle,
    stop: changes.stop,
  };

  async function begin(): Promise<void> {
    if (handshake.listChanged) log.debug(`handler for tools/list_changed of "${server}" registered`, facts);
    // Hundreds of servers may connect at once, and each opens two connections here.
    await nextLoopTurn("background");
    if (!current()) return;
    const first = changes.now("connected").catch(failed);
    await nextLoopTurn("background");
    const heard = await handshake.family.listen(opened);
    await first;
    if (!current()) return;
    if (!(handshake.listChanged && heard)) changes.poll();
    options.listening?.(heard);
  }
}

const UNANSWERED = `it did not respond to tools/list within ${DISCOVERY_TIMEOUT_MS / 1000} s`;

/** Returns why a listing failed, without the name of the server. */
function whyListingFailed(error: unknown): string {
  if (error instanceof Fault && error.code === "upstream_failed") return String(error.facts.reason);
  if (error instanceof RpcError) return `it answered tools/list with error ${error.code}: ${error.message}`;
  return reasonOf(error);
}

const counts = (found: { added: string[]; changed: string[]; removed: string[] }) => ({
  added: found.added.length,
  changed: found.changed.length,
  removed: found.removed.length,
});
