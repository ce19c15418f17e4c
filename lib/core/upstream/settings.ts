import { durationMs } from "../base/clock.ts";
import type { LimiterLimits } from "../base/limiter.ts";
import type { Config, ServerConfig } from "../config/config-keys.ts";
import type { McpObject } from "../schema/mcp.ts";

/** Values for settings that are absent, or 0 where 0 makes no sense. (ms) */
const INIT_TIMEOUT_MS = 30_000;
const QUEUE_TIMEOUT_MS = 30_000;
const LAUNCH_MS = 30_000;
/** Minimum time for a command that may download its program first: ended in between, npx keeps a broken copy. (ms) */
const DOWNLOAD_MS = 300_000;
/** Programs that download what they run. */
const DOWNLOADERS =
  /(?:^|[\\/])(?:npx|npm|pnpx|pnpm|yarn|bunx?|deno|uvx?|pipx|dnx|docker|podman|nerdctl)(?:\.(?:exe|cmd|bat))?$/i;

/** Returns the current times for one server: its own, otherwise the general ones. (ms) */
export function serverTimings(config: Config, server: ServerConfig) {
  const ms = (own: string | undefined, general: string | undefined) => durationMs(own ?? general ?? "") ?? 0;
  const init = ms(server.init_timeout, config.init_timeout) || INIT_TIMEOUT_MS;
  const isDownload = !server.init_timeout && DOWNLOADERS.test(server.command ?? "");
  return {
    init,
    /** Until the server has been ready once. */
    firstInit: isDownload ? Math.max(init, DOWNLOAD_MS) : init,
    /** Timeout until a launched HTTP server listens. */
    launch: ms(server.launcher_wait_timeout, undefined) || LAUNCH_MS,
    /** 0: no pings. */
    health: ms(server.health_check_interval, config.health_check_interval),
    /** 0: no polling. */
    discovery: ms(server.tool_discovery_interval, config.tool_discovery_interval),
  };
}

/**
 * Returns the capabilities that are declared to a server of versions up to 2025-11-25: the questions that it may ask.
 */
export function askableCapabilities(server: ServerConfig): McpObject {
  if (server.allow_elicitation !== false && server.allow_sampling !== false && server.allow_roots !== false)
    return ALL_ASKABLE;
  return {
    ...(server.allow_elicitation !== false && { elicitation: ALL_ASKABLE.elicitation }),
    ...(server.allow_sampling !== false && { sampling: ALL_ASKABLE.sampling }),
    ...(server.allow_roots !== false && { roots: ALL_ASKABLE.roots }),
  };
}

/** One object for all servers that may ask everything, which is the default. */
const ALL_ASKABLE = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

export interface ConcurrencySettings extends LimiterLimits {
  /** Maximum time to wait for a slot. */
  waitMs: number;
}

/**
 * Returns the limits of one server: its own, otherwise `server_concurrency_defaults`, otherwise the built-in ones.
 * (reference 5.6)
 */
export function serverConcurrency(config: Config, server: ServerConfig): ConcurrencySettings {
  const general = config.server_concurrency_defaults;
  return {
    slots: server.max_concurrent_requests ?? general.max_concurrent_requests ?? SERVER_CALLS,
    queue: server.queue_size ?? general.queue_size ?? 0,
    waitMs: waitMs(server.queue_timeout ?? general.queue_timeout ?? config.queue_timeout),
  };
}

/**
 * Maximum number of concurrent calls if the configuration sets no limit, so that a server that never responds cannot
 * collect callers without end or use up the global limit.
 */
const SERVER_CALLS = 1000;
const ALL_CALLS = 10_000;

/** Returns the limits for all servers together. */
export function globalConcurrency(config: Config): ConcurrencySettings {
  return {
    slots: config.max_concurrent_requests ?? ALL_CALLS,
    queue: config.queue_size ?? 0,
    waitMs: waitMs(config.queue_timeout),
  };
}

const waitMs = (text: string | undefined) => durationMs(text ?? "") || QUEUE_TIMEOUT_MS;
