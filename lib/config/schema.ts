import * as v from "valibot";
import { durationMs } from "../base/clock.ts";

/**
 * The configuration document: every key with its type, default, range and whether a change is hot or needs a restart.
 * Defaults, messages, environment overrides (`env.ts`) and docs/configuration.md come from this object
 * (spec 001 §2.5, §2.6; key names as in existing `mcp_config.json` files).
 */

/** What `v.metadata` carries on each top-level key. */
export interface KeyFacts {
  /** `hot`: takes effect at once. `restart`: recorded, reported as pending, adopted at the next start. */
  reload: "hot" | "restart";
  /** Environment variable, without the `SERVICE_` prefix, when there is one. */
  env?: string;
  /** Never shown unmasked. */
  secret?: boolean;
}

const hot = (env?: string): KeyFacts => ({ reload: "hot", ...(env && { env }) });
const restart = (env?: string): KeyFacts => ({ reload: "restart", ...(env && { env }) });

/** A duration text such as `30s` or `1m30s`, within a range given in ms; `0` is accepted when the range starts at 0. */
function duration(minMs: number, maxMs: number, range: string) {
  return v.pipe(
    v.string('must be a duration such as "30s"'),
    v.check(
      (t) => durationMs(t) !== undefined,
      (i) => `${JSON.stringify(i.input)} is not a duration such as "30s" or "2m"`,
    ),
    v.check((t) => {
      const ms = durationMs(t) ?? minMs;
      return ms === 0 || (ms >= minMs && ms <= maxMs);
    }, `must be ${range}`),
  );
}
const integer = (min: number, max: number) =>
  v.pipe(
    v.number("must be a number"),
    v.integer("must be a whole number"),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
  );
const strings = () => v.array(v.string());
const stringMap = () => v.record(v.string(), v.string());

export const OAuthConfig = v.looseObject({
  client_id: v.optional(v.string()),
  client_secret: v.optional(v.string()),
  redirect_uri: v.optional(v.string()),
  scopes: v.optional(strings()),
  extra_params: v.optional(stringMap()),
});

export const IsolationConfig = v.looseObject({
  enabled_override: v.optional(v.boolean()),
  image: v.optional(v.string()),
  extra_args: v.optional(strings()),
});

export const ServerConfig = v.looseObject({
  name: v.pipe(
    v.string(),
    v.minLength(1, "a server needs a name"),
    v.maxLength(128, "a server name has at most 128 characters"),
    v.regex(
      /^[^:\s\p{Cc}](?:[^:\p{Cc}]*[^:\s\p{Cc}])?$/u,
      "a server name holds no colon, no control characters and no outer spaces",
    ),
  ),
  protocol: v.optional(
    v.picklist(
      ["stdio", "http", "sse", "streamable-http", "auto"],
      "protocol is one of stdio, http, sse, streamable-http, auto",
    ),
  ),
  command: v.optional(v.string()),
  args: v.optional(strings()),
  working_dir: v.optional(v.string()),
  env: v.optional(stringMap()),
  url: v.optional(v.string()),
  headers: v.optional(stringMap()),
  oauth: v.optional(OAuthConfig),
  isolation: v.optional(IsolationConfig),
  enabled: v.optional(v.boolean(), true),
  /** Absent means quarantined: a hand-written entry is not trusted by being there (decisions §5). */
  quarantined: v.optional(v.boolean()),
  trust_mode: v.optional(v.picklist(["auto", "scan", "manual"], "trust_mode is one of auto, scan, manual")),
  auto_approve_tool_changes: v.optional(v.boolean()),
  reconnect_on_use: v.optional(v.boolean()),
  init_timeout: v.optional(duration(1000, 1_800_000, "0 or 1s to 30m")),
  call_tool_timeout: v.optional(duration(1, 86_400_000, "more than 0")),
  health_check_interval: v.optional(duration(5000, 3_600_000, "0 or 5s to 1h")),
  tool_discovery_interval: v.optional(duration(30_000, 86_400_000, "0 or 30s to 24h")),
  max_concurrent_requests: v.optional(integer(0, 100_000)),
  queue_size: v.optional(integer(0, 1_000_000)),
  queue_timeout: v.optional(duration(1, 86_400_000, "more than 0")),
  enabled_tools: v.optional(strings()),
  disabled_tools: v.optional(strings()),
  created: v.optional(v.string()),
  updated: v.optional(v.string()),
});
export type ServerConfig = v.InferOutput<typeof ServerConfig>;

const ConcurrencyDefaults = v.looseObject({
  max_concurrent_requests: v.optional(integer(0, 100_000)),
  queue_size: v.optional(integer(0, 1_000_000)),
  queue_timeout: v.optional(duration(1, 86_400_000, "more than 0")),
});

const Environment = v.looseObject({
  inherit_system_safe: v.optional(v.boolean(), true),
  allowed_system_vars: v.optional(strings(), []),
  custom_vars: v.optional(stringMap(), {}),
});

const Logging = v.looseObject({
  level: v.optional(v.picklist(["trace", "debug", "info", "warn", "error"]), "info"),
  log_dir: v.optional(v.string()),
  max_size: v.optional(integer(1, 10_000), 10),
  max_backups: v.optional(integer(0, 1000), 5),
});

const Profile = v.looseObject({ name: v.string(), servers: strings() });

/** `[key, schema, facts, what it does]`; one line per key. */
const KEYS = {
  listen: [
    v.optional(v.string(), "127.0.0.1:8080"),
    restart("LISTEN"),
    "host:port of the HTTP listener; port 0 takes a free one",
  ],
  enable_socket: [
    v.optional(v.boolean(), true),
    restart(),
    "serve administrators on a local socket (named pipe on Windows)",
  ],
  data_dir: [
    v.optional(v.string()),
    restart("DATA"),
    "where the database, socket and logs live; default: the folder of this file",
  ],
  api_key: [
    v.optional(v.string()),
    { ...restart("API_KEY"), secret: true },
    "administrator key; made and logged once at first start",
  ],
  require_mcp_auth: [v.optional(v.boolean(), false), hot("REQUIRE_MCP_AUTH"), "refuse unauthenticated MCP clients"],
  trusted_hosts: [
    v.optional(strings(), []),
    hot("TRUSTED_HOSTS"),
    "further Host and Origin names accepted on a loopback listener",
  ],
  trusted_proxies: [
    v.optional(strings(), []),
    hot("TRUSTED_PROXIES"),
    "CIDRs or addresses whose forwarded headers are believed",
  ],
  reveal_secret_headers: [
    v.optional(v.boolean(), false),
    hot(),
    "show unmasked values to an authenticated administrator",
  ],
  read_only_mode: [
    v.optional(v.boolean(), false),
    hot("READ_ONLY_MODE"),
    "refuse every change of configuration and servers",
  ],
  disable_management: [
    v.optional(v.boolean(), false),
    hot("DISABLE_MANAGEMENT"),
    "hide upstream_servers from MCP clients",
  ],
  allow_server_add: [v.optional(v.boolean(), true), hot(), "allow adding servers over MCP"],
  allow_server_remove: [v.optional(v.boolean(), true), hot(), "allow removing servers over MCP"],
  quarantine_enabled: [
    v.optional(v.boolean(), true),
    hot(),
    "quarantine new servers and ask about new and changed tools",
  ],
  routing_mode: [
    v.optional(
      v.picklist(
        ["retrieve_tools", "direct", "code_execution"],
        "routing_mode is one of retrieve_tools, direct, code_execution",
      ),
      "retrieve_tools",
    ),
    restart("ROUTING_MODE"),
    "what /mcp serves",
  ],
  tool_response_mode: [
    v.optional(v.picklist(["full", "compact"]), "full"),
    hot("TOOL_RESPONSE_MODE"),
    "form of retrieve_tools entries",
  ],
  direct_tool_response_mode: [
    v.optional(v.picklist(["full", "deferred"]), "full"),
    hot("DIRECT_TOOL_RESPONSE_MODE"),
    "form of direct-mode tools",
  ],
  instructions: [v.optional(v.string()), hot(), "replaces the instructions MCP clients are given"],
  tools_limit: [v.optional(integer(1, 1000), 15), hot(), "default limit of retrieve_tools"],
  call_tool_timeout: [
    v.optional(duration(1, 86_400_000, "more than 0"), "2m"),
    hot("CALL_TOOL_TIMEOUT"),
    "longest wait for an upstream tool call",
  ],
  max_concurrent_requests: [
    v.optional(integer(0, 100_000)),
    hot("MAX_CONCURRENT_REQUESTS"),
    "calls at once over all servers; 0 or unset: no limit",
  ],
  queue_size: [v.optional(integer(0, 1_000_000)), hot("QUEUE_SIZE"), "calls that may wait for a place"],
  queue_timeout: [
    v.optional(duration(1, 86_400_000, "more than 0")),
    hot("QUEUE_TIMEOUT"),
    "longest wait for a place; 30s when a limit is set",
  ],
  server_concurrency_defaults: [
    v.optional(ConcurrencyDefaults, {}),
    hot(),
    "the same three for each server without its own",
  ],
  health_check_interval: [
    v.optional(duration(5000, 3_600_000, "0 or 5s to 1h"), "30s"),
    hot(),
    "ping of each upstream; 0 switches it off",
  ],
  tool_discovery_interval: [
    v.optional(duration(30_000, 86_400_000, "0 or 30s to 24h"), "5m"),
    hot(),
    "polling of servers that do not announce changes",
  ],
  init_timeout: [
    v.optional(duration(1000, 1_800_000, "0 or 1s to 30m"), "30s"),
    hot(),
    "longest wait for an upstream to start and answer initialize",
  ],
  intent_declaration: [
    v.optional(v.looseObject({ strict_server_validation: v.optional(v.boolean(), true) }), {}),
    hot(),
    "strict_server_validation: refuse destructive tools through the read and write variants",
  ],
  enable_code_execution: [
    v.optional(v.boolean(), true),
    hot("ENABLE_CODE_EXECUTION"),
    "switches code execution for every caller",
  ],
  code_execution_timeout_ms: [v.optional(integer(1, 600_000), 120_000), hot(), "default limit of one execution (ms)"],
  code_execution_max_tool_calls: [
    v.optional(integer(0, 1_000_000), 0),
    hot(),
    "default tool-call budget; 0: unlimited",
  ],
  code_execution_pool_size: [v.optional(integer(1, 100), 10), restart(), "most sandboxes at once"],
  code_execution_max_parallel: [v.optional(integer(1, 32), 8), hot(), "default concurrency of call_tools"],
  activity_retention_days: [
    v.optional(integer(0, 36_500), 90),
    hot(),
    "age after which activity records go; 0 keeps all",
  ],
  activity_max_records: [v.optional(integer(0, 1_000_000_000), 100_000), hot(), "most records kept; 0: no limit"],
  activity_max_response_size: [
    v.optional(integer(0, 100_000_000), 65_536),
    hot(),
    "characters of a response kept in a record",
  ],
  activity_cleanup_interval_min: [v.optional(integer(1, 100_000), 60), hot(), "minutes between sweeps"],
  environment: [v.optional(Environment, {}), hot(), "what child processes inherit"],
  logging: [v.optional(Logging, {}), hot(), "level, folder, rotation"],
  profiles: [v.optional(v.array(Profile), []), hot(), "named sets of servers"],
  update_check: [
    v.optional(
      v.looseObject({
        enabled: v.optional(v.boolean(), true),
        channel: v.optional(v.picklist(["stable", "rc"]), "stable"),
      }),
      {},
    ),
    hot(),
    "look for new releases",
  ],
  mcpServers: [v.optional(v.array(ServerConfig), []), hot(), "the upstream servers"],
} as const satisfies Record<string, readonly [v.GenericSchema, KeyFacts, string]>;

type Entries = { -readonly [K in keyof typeof KEYS]: (typeof KEYS)[K][0] };
const entries = Object.fromEntries(Object.entries(KEYS).map(([k, [schema]]) => [k, schema])) as Entries;

/** The whole document; unknown keys are kept and survive a rewrite. */
export const Config = v.looseObject(entries);
export type Config = v.InferOutput<typeof Config>;

/** Facts and description of every top-level key, in document order. */
export const CONFIG_KEYS: readonly {
  key: keyof Entries;
  schema: v.GenericSchema;
  facts: KeyFacts;
  description: string;
}[] = Object.entries(KEYS).map(([key, [schema, facts, description]]) => ({
  key: key as keyof Entries,
  schema,
  facts,
  description,
}));
