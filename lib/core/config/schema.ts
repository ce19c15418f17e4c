import * as v from "valibot";
import {
  AuditLog,
  CodeCeilings,
  Concurrency,
  DockerIsolation,
  Environment,
  Intent,
  Lock,
  Logging,
  Profile,
  Registry,
  Security,
  Tls,
  UpdateCheck,
} from "./blocks.ts";
import { ServerEdition } from "./edition.ts";
import { callTimeout, distinct, duration, form, integer, oneOf } from "./fields.ts";
import { Hosts, Listen, Outbound, Proxies } from "./network.ts";
import { OutputSanitisation, SensitiveData } from "./sensitive.ts";
import { ServerConfig, ValidateArguments } from "./server.ts";

export { IsolationConfig, OAuthConfig, ServerConfig } from "./server.ts";

/**
 * The configuration document: every key with its type, default, range and whether a change is hot or needs a restart.
 * Defaults, messages, environment overrides (`env.ts`) and docs/configuration.md come from this object
 * (spec 001 §2.5, §2.6; key names as in existing `mcp_config.json` files).
 */

export interface KeyFacts {
  /** `hot`: takes effect at once. `restart`: recorded, reported as pending, adopted at the next start. */
  reload: "hot" | "restart";
  /** Members of a hot object that need a restart all the same. */
  restartWithin?: readonly string[];
  /** Environment variable, without the `SERVICE_` prefix, when it is not the key in capitals. */
  env?: string;
  /** Never shown unmasked. */
  secret?: boolean;
}

const hot: KeyFacts = { reload: "hot" };
const restart: KeyFacts = { reload: "restart" };
const flag = (on: boolean) => v.optional(v.boolean(), on);

/** `[schema, facts, what it does]`; one entry per key, in the order of the documentation. */
const KEYS = {
  listen: [
    v.optional(Listen, "127.0.0.1:8080"),
    restart,
    "address of the HTTP listener; port 0 takes a free one, an empty text means none",
  ],
  tls: [v.optional(Tls, {}), restart, "HTTPS on the listener itself, with a certificate of its own making or yours"],
  enable_socket: [flag(true), restart, "serve administrators on a local socket (named pipe on Windows)"],
  data_dir: [
    v.optional(v.string()),
    { ...restart, env: "DATA" },
    "where the database, socket and logs live; absent: the folder of this file",
  ],
  api_key: [
    v.optional(v.string()),
    { ...restart, secret: true },
    "administrator key; made and logged once at first start",
  ],
  require_mcp_auth: [flag(false), hot, "refuse unauthenticated MCP clients; always on in the server edition"],
  trusted_hosts: [v.optional(Hosts, []), hot, "further Host and Origin names accepted on a loopback listener"],
  trusted_proxies: [v.optional(Proxies, []), hot, "CIDRs or addresses whose forwarded headers are believed"],
  outbound_allow: [
    v.optional(Outbound, []),
    hot,
    "hosts, addresses and CIDRs inside your own networks that registries, sign-in and update checks may be led to",
  ],
  reveal_secret_headers: [flag(false), hot, "show unmasked values to an authenticated administrator"],
  read_only_mode: [flag(false), hot, "refuse every change of configuration and servers"],
  disable_management: [flag(false), hot, "hide upstream_servers from MCP clients"],
  allow_server_add: [flag(true), hot, "allow adding servers over MCP"],
  allow_server_remove: [flag(true), hot, "allow removing servers over MCP"],
  quarantine_enabled: [flag(true), hot, "quarantine new servers and ask about new and changed tools"],
  routing_mode: [
    v.optional(oneOf(["retrieve_tools", "direct", "code_execution"]), "retrieve_tools"),
    restart,
    "what /mcp serves",
  ],
  tool_response_mode: [v.optional(oneOf(["full", "compact"]), "full"), hot, "form of retrieve_tools entries"],
  direct_tool_response_mode: [v.optional(oneOf(["full", "deferred"]), "full"), hot, "form of direct-mode tools"],
  instructions: [v.optional(v.string()), hot, "replaces the instructions MCP clients are given"],
  tools_limit: [v.optional(integer(1, 1000), 15), hot, "default limit of retrieve_tools"],
  tool_response_limit: [
    v.optional(integer(0, 100_000_000), 0),
    hot,
    "longest answer of a tool that the call variants give a model whole (characters); a longer one is cut, and read_cache reads on; 0: no limit",
  ],
  oauth_expiry_warning_hours: [
    v.optional(
      v.pipe(v.number("must be a number of hours"), v.minValue(0), v.maxValue(8760), form("number from 0 to 8760")),
      1,
    ),
    hot,
    "how long before its end a sign-in that nothing renews is a health warning",
  ],
  call_tool_timeout: [v.optional(callTimeout(), "2m"), hot, "longest wait for an upstream tool call"],
  validate_arguments: [
    v.optional(ValidateArguments),
    hot,
    "arguments of a call that do not match the tool's input schema: `warn` notes that in the call's record, `enforce` refuses the call, `off` does not look; absent: `enforce` where the schema has `additionalProperties: false`, else `warn`",
  ],
  max_concurrent_requests: [
    v.optional(integer(0, 100_000)),
    hot,
    "calls at once over all servers; 0: no limit; absent: 10000",
  ],
  queue_size: [v.optional(integer(0, 1_000_000)), hot, "calls that may wait for a place"],
  queue_timeout: [v.optional(callTimeout()), hot, "longest wait for a place; absent: 30s where a limit is set"],
  max_request_memory_mb: [
    v.optional(integer(0, 1_000_000)),
    hot,
    "bodies of requests under way together (MB), beyond which large ones are answered 503; 0: no limit; absent: a 64th of the memory, 48 to 128",
  ],
  server_concurrency_defaults: [v.optional(Concurrency, {}), hot, "the same three for each server without its own"],
  health_check_interval: [
    v.optional(duration(5000, 3_600_000, "0 or 5s to 1h"), "30s"),
    hot,
    "ping of each upstream; 0 switches it off",
  ],
  tool_discovery_interval: [
    v.optional(duration(30_000, 86_400_000, "0 or 30s to 24h"), "5m"),
    hot,
    "polling of servers that do not announce changes; 0 switches it off",
  ],
  init_timeout: [
    v.optional(duration(1000, 1_800_000, "0 or 1s to 30m"), "30s"),
    hot,
    "longest wait for an upstream to start and answer initialize; 0: the default",
  ],
  intent_declaration: [v.optional(Intent, {}), hot, "checks on the declared intent of a call"],
  enable_code_execution: [flag(true), hot, "switches code execution for every caller"],
  code_execution_timeout_ms: [v.optional(integer(1, 600_000), 120_000), hot, "default limit of one execution (ms)"],
  code_execution_max_tool_calls: [
    v.optional(integer(0, 1_000_000_000), 0),
    hot,
    "default tool-call budget; 0: unlimited",
  ],
  code_execution_queue_timeout_ms: [
    v.optional(integer(0, 600_000), 30_000),
    hot,
    "longest wait of a script for a free sandbox (ms), which does not count as its own time; 0: none",
  ],
  code_execution_ceilings: [
    v.optional(CodeCeilings, {}),
    hot,
    "the most that a request may ask for instead of the defaults",
  ],
  code_execution_pool_size: [
    v.optional(integer(1, 100), 10),
    restart,
    "most sandboxes at once; one caller that is no administrator takes at most half",
  ],
  code_execution_max_parallel: [v.optional(integer(1, 32), 8), hot, "default concurrency of call_tools"],
  activity_retention_days: [v.optional(integer(0, 36_500), 90), hot, "days activity records are kept; 0: for ever"],
  activity_max_records: [v.optional(integer(0, 1_000_000_000), 100_000), hot, "most records kept; 0: no limit"],
  activity_max_response_size: [
    v.optional(integer(0, 100_000_000), 65_536),
    hot,
    "characters of a response kept in a record",
  ],
  activity_max_size_mb: [
    v.optional(integer(0, 1_000_000), 256),
    hot,
    "most room the database takes before the oldest records go (MB); 0: no limit",
  ],
  activity_cleanup_interval_min: [v.optional(integer(1, 100_000), 60), hot, "minutes between sweeps"],
  environment: [v.optional(Environment, {}), hot, "what child processes inherit"],
  logging: [
    v.optional(Logging, {}),
    { ...hot, restartWithin: ["log_dir"] },
    "lines for people, on standard error and in files",
  ],
  audit_log: [v.optional(AuditLog), restart, "one JSON line per authorization decision and tool call"],
  profiles: [v.optional(v.pipe(v.array(Profile), distinct("profiles")), []), hot, "named sets of servers"],
  docker_isolation: [v.optional(DockerIsolation, {}), hot, "servers in containers"],
  sensitive_data_detection: [v.optional(SensitiveData, {}), hot, "look for secrets and personal data in calls"],
  output_sanitisation: [v.optional(OutputSanitisation, {}), hot, "what is done to tools' answers on their way"],
  registries: [v.optional(v.array(Registry), []), hot, "sources of installable servers beside the built-in ones"],
  registries_locked: [flag(false), hot, "refuse every change of the list of registries"],
  allow_private_registry_fetch: [flag(false), hot, "registries may stand at private addresses, then also over http"],
  lock: [v.optional(Lock, {}), hot, "the fleet's lock file, and whether it is enforced (docs/lock.md)"],
  security: [v.optional(Security, {}), hot, "scans of servers for what is poisoned or planted"],
  update_check: [v.optional(UpdateCheck, {}), hot, "look for new releases"],
  server_edition: [
    v.optional(ServerEdition),
    { ...hot, restartWithin: ["enabled", "public_url", "session_cookie_secure", "credential_encryption_key", "oauth"] },
    "several people behind one identity provider",
  ],
  mcpServers: [v.optional(v.pipe(v.array(ServerConfig), distinct("mcpServers")), []), hot, "the upstream servers"],
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
