import type { Clock } from "../base/clock.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import { nextLoopTurn } from "../base/loop-share.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Logger } from "../log/logger.ts";
import type { ListingStatus } from "../schema/connection-status.ts";
import { type McpObject, type Reply, RPC, RpcError } from "../schema/mcp.ts";
import { DISCOVERY_TIMEOUT_MS, discoverTools } from "./discover-tools.ts";
import { createListingSchedule, type ListingSchedule, type ListingScheduleOptions } from "./listing-schedule.ts";
import type { OpenChannel } from "./open.ts";
import { limitLineRate } from "./stdio/throttle.ts";

export interface ToolListingOptions {
  server: string;
  opened: OpenChannel;
  /** True while this is the current connection of the server. */
  isCurrent(): boolean;
  request(method: string, params: McpObject, timeoutMs: number): Promise<Reply>;
  /** Replaces the server's secrets in a text of a tool. */
  readonly maskTool: (text: string) => string;
  catalog: Catalog;
  clock: Clock;
  log: Logger;
  /** Called when the status changes: the listing failed, failed for another reason, or succeeded. */
  toolsChanged(status: ListingStatus): void;
  /** Returns the current interval of polling (ms); 0: none. */
  pollMs(): number;
  /** Called when the tools were listed for the first time. `heard`: notifications can be received. */
  listening(heard: boolean): void;
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

/** @param options used for as long as the connection is open */
export function createToolListing(options: ToolListingOptions): ToolListing {
  return new ScheduledToolListing(options);
}

/** A class takes less memory than closures, and each open connection has one of these. */
class ScheduledToolListing implements ToolListing, ListingScheduleOptions {
  readonly clock: Clock;
  private readonly options: ToolListingOptions;
  private readonly schedule: ListingSchedule;
  private current: ListingStatus = { listed: false };
  /** The last error that was logged. Several callers may join one failed listing, but it is logged once. */
  private reported: unknown = undefined;
  private reportedTools: Set<string> | undefined = undefined;
  private logNotification: ((line: string) => void) | undefined = undefined;

  constructor(options: ToolListingOptions) {
    this.clock = options.clock;
    this.options = options;
    this.schedule = createListingSchedule(this);
  }

  status(): ListingStatus {
    return this.current;
  }

  begin(): void {
    this.options.log.catch(`listing the tools of "${this.options.server}"`, this.listFirst());
  }

  listChanged(): void {
    const { server, opened } = this.options;
    this.logNotification ??= this.limitedLog();
    const line = `tools/list_changed received from "${server}"`;
    this.logNotification(opened.handshake.listChanged ? line : `${line}, which did not advertise it`);
    this.schedule.listChanged();
  }

  changed(): void {
    this.schedule.listChanged();
  }

  retime(): void {
    this.schedule.retime();
  }

  now(reason: string): Promise<void> {
    return this.schedule.now(reason).catch((error) => {
      this.failed(error);
      const { server } = this.options;
      throw error instanceof Fault ? error : new Fault("upstream_failed", { server, reason: whyListingFailed(error) });
    });
  }

  idle(): Promise<void> {
    return this.schedule.idle();
  }

  stop(): void {
    this.schedule.stop();
  }

  pollMs(): number {
    return this.options.pollMs();
  }

  async list(reason: string): Promise<void> {
    const { server, opened, log, catalog, maskTool } = this.options;
    const { learnTools, instructions } = opened.handshake;
    const facts = { server };
    log.debug(`tool discovery of "${server}" triggered (${reason})`, facts);
    const tools = await this.request();
    if (!this.options.isCurrent()) return;
    const offered = learnTools ? await learnTools(tools, (tool, why) => this.rejected(tool, why)) : tools;
    if (!this.options.isCurrent()) return;
    const found = await catalog.acceptListing(server, offered, instructions, maskTool);
    if (this.options.isCurrent()) this.enter({ listed: true });
    log.debug(`"${server}" has ${found.total} tools`, { ...facts, ...counts(found) });
  }

  failed(error: unknown): void {
    const { server, log } = this.options;
    if (!this.options.isCurrent() || error === this.reported) return;
    this.reported = error;
    const why = whyListingFailed(error);
    log.warn(`tool discovery of "${server}" failed: ${why}`, { server });
    this.enter({ ...this.current, error: why });
  }

  private async listFirst(): Promise<void> {
    const { server, opened, log } = this.options;
    const { handshake } = opened;
    if (handshake.listChanged) log.debug(`handler for tools/list_changed of "${server}" registered`, { server });
    // Hundreds of servers may connect at once, and each opens two connections here.
    await nextLoopTurn("background");
    if (!this.options.isCurrent()) return;
    const first = this.schedule.now("connected").catch((error) => this.failed(error));
    await nextLoopTurn("background");
    const heard = await handshake.family.listen(opened);
    await first;
    if (!this.options.isCurrent()) return;
    if (!(handshake.listChanged && heard)) this.schedule.poll();
    this.options.listening(heard);
  }

  /** Requests the tools. A server that declares none is asked as well, because many forget to declare them. */
  private async request(): Promise<unknown[]> {
    const { options } = this;
    const { server, opened, clock } = options;
    try {
      return await discoverTools({ request: (...sent) => options.request(...sent), now: clock.now });
    } catch (error) {
      if (!opened.handshake.tools && error instanceof RpcError && error.code === RPC.methodNotFound) return [];
      // The advice in `call_timeout` would be wrong, because the time limit of a listing is fixed.
      if (error instanceof Fault && error.code === "call_timeout")
        throw new Fault("upstream_failed", { server, reason: UNANSWERED }, { cause: error });
      throw error;
    }
  }

  private enter(next: ListingStatus): void {
    const before = this.current;
    this.current = next;
    if (before.error !== next.error || before.listed !== next.listed) this.options.toolsChanged(next);
  }

  /** Logs a rejected tool once, not at each listing. */
  private rejected(tool: string, reason: string): void {
    const { server, log, maskTool } = this.options;
    this.reportedTools ??= new Set();
    if (this.reportedTools.has(tool) || this.reportedTools.size >= MAX_REPORTED_TOOLS) return;
    this.reportedTools.add(tool);
    log.warn(maskTool(`tool "${tool}" of "${server}" is left out: ${reason}`).slice(0, MAX_LINE), { server });
  }

  private limitedLog(): (line: string) => void {
    const { server, opened, clock, log } = this.options;
    return limitLineRate(clock, LOG_BOUND, (line) => {
      if (opened.handshake.listChanged) log.info(line, { server });
      else log.warn(line, { server });
    });
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
