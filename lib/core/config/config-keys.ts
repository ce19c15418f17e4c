import * as v from "valibot";
import { isJsonObject } from "../base/json-object.ts";
import { plainIssueText } from "../schema/issue.ts";
import { Auth } from "./auth.ts";
import { Concurrency, Environment, Intent, Logging, Profile, Registry, Tls } from "./block-schemas.ts";
import { ServerEdition } from "./edition.ts";
import { callTimeout, distinctNames, duration, formText, integer, oneOfWords } from "./fields.ts";
import { AllowedHosts, ListenAddress, OutboundNetworks, TrustedProxies } from "./network.ts";
import { ServerConfig, ValidateArguments } from "./server-config.ts";

export { IsolationConfig, OAuthConfig, ServerConfig } from "./server-config.ts";

/**
 * The configuration: every key with its type, default, range, and whether a change takes effect at once or after a
 * restart. Defaults, messages, environment overrides (`env-overrides.ts`) and docs/configuration.md are derived from
 * these tables (spec 001 §2.5, §2.6; key names as in existing `mcp_config.json` files).
 */

export interface KeyFacts {
  /** `hot`: a change takes effect at once. `restart`: it is reported as pending and takes effect at the next start. */
  reload: "hot" | "restart";
  /** Members of a `hot` object that require a restart nevertheless. */
  restartWithin?: readonly string[];
  /** Members of the object that have an environment variable, named by both: `SERVICE_KEY_MEMBER`. */
  envMembers?: readonly string[];
  /** Name of the environment variable without the prefix `SERVICE_`; by default the key in capitals. */
  env?: string;
  /** Never shown unmasked. */
  secret?: boolean;
  /** In a cluster: each replica has its own value, from its file. All other keys are shared. */
  replica?: boolean;
}

/** A change takes effect at once. */
export const hot: KeyFacts = { reload: "hot" };
/** A change takes effect at the next start. */
export const restart: KeyFacts = { reload: "restart" };
/** A change takes effect at the next start; each replica of a cluster has its own value. */
export const replicaRestart: KeyFacts = { reload: "restart", replica: true };
const flag = (on: boolean) => v.optional(v.boolean(), on);

/** `[schema, facts, what it does]`; one entry per key, in the order of the documentation. */
export type KeyTable = Readonly<
  Record<string, readonly [schema: v.GenericSchema, facts: KeyFacts, description: string]>
>;

/** The type of the schemas in a table, by key. */
export type EntriesOf<T extends KeyTable> = { -readonly [K in keyof T]: T[K][0] };

/** The keys of the core; modules add theirs (`defineConfig`). */
const CORE = {
  listen: [
    v.optional(ListenAddress, "127.0.0.1:8080"),
    replicaRestart,
    "address of the HTTP listener; port 0 selects a free port, an empty text disables the listener",
  ],
  tls: [
    v.optional(Tls, {}),
    replicaRestart,
    "HTTPS on the listener, with a certificate that the proxy issues or that you provide",
  ],
  enable_socket: [flag(true), replicaRestart, "accept administrators on a local socket (a named pipe on Windows)"],
  data_dir: [
    v.optional(v.string()),
    { ...replicaRestart, env: "DATA" },
    "folder of the database, the socket and the logs; absent: the folder of this file",
  ],
  api_key: [
    v.optional(v.string()),
    { ...replicaRestart, secret: true },
    "API key of the administrator; absent: the first start generates one and logs it once",
  ],
  require_mcp_auth: [
    flag(false),
    hot,
    "reject unauthenticated MCP clients; always on in the multi-user edition and with `auth.oauth.enabled`",
  ],
  auth: [v.optional(Auth, {}), restart, "how MCP clients sign in (docs/sign-in.md)"],
  trusted_hosts: [
    v.optional(AllowedHosts, []),
    hot,
    "additional `Host` and `Origin` names that a loopback listener accepts",
  ],
  trusted_proxies: [
    v.optional(TrustedProxies, []),
    hot,
    "addresses and CIDRs of reverse proxies whose forwarding headers the proxy trusts",
  ],
  outbound_allow: [
    v.optional(OutboundNetworks, []),
    hot,
    "hosts, addresses and CIDRs in private networks that registry, sign-in and update requests may connect to; all other private addresses are rejected",
  ],
  reveal_secret_headers: [flag(false), hot, "show secrets unmasked to authenticated administrators"],
  read_only_mode: [flag(false), hot, "reject every change of the configuration and of servers"],
  disable_management: [flag(false), hot, "hide the tool `upstream_servers` from MCP clients and reject calls of it"],
  allow_server_add: [flag(true), hot, "allow adding servers over MCP"],
  allow_server_remove: [flag(true), hot, "allow removing servers over MCP"],
  quarantine_enabled: [flag(true), hot, "quarantine new servers and require approval of new and changed tools"],
  routing_mode: [
    v.optional(oneOfWords(["retrieve_tools", "direct", "code_execution"]), "retrieve_tools"),
    restart,
    "routing mode of `/mcp`: the search and call tools, every upstream tool directly, or code execution",
  ],
  tool_response_mode: [
    v.optional(oneOfWords(["full", "compact"]), "full"),
    hot,
    "format of the tools that `retrieve_tools` returns: with full schemas or as compact signatures",
  ],
  direct_tool_response_mode: [
    v.optional(oneOfWords(["full", "deferred"]), "full"),
    hot,
    "format of the tool list in direct mode: with full schemas, or as signatures whose schemas `describe_tool` returns",
  ],
  expose: [
    v.optional(
      v.pipe(
        v.array(v.pipe(v.string(), v.regex(/^[^:\s][^:]*:\S+$/, "must be server:tool"))),
        v.maxLength(100, "too many tools (at most 100)"),
      ),
      [],
    ),
    hot,
    "tools, as `server:tool`, that clients are shown by name in every mode, for example because they have a user interface (MCP Apps)",
  ],
  instructions: [v.optional(v.string()), hot, "instructions for MCP clients; replaces the built-in text"],
  tools_limit: [
    v.optional(integer(1, 1000), 15),
    hot,
    "number of tools that `retrieve_tools` returns if the request names no limit",
  ],
  tool_response_limit: [
    v.optional(integer(0, 100_000_000), 0),
    hot,
    "maximum length (characters) of a tool result from the call variants; a longer result is truncated, and `read_cache` reads the rest; 0: no limit",
  ],
  oauth_expiry_warning_hours: [
    v.optional(
      v.pipe(v.number("must be a number of hours"), v.minValue(0), v.maxValue(8760), formText("number from 0 to 8760")),
      1,
    ),
    hot,
    "hours before the expiry of a sign-in without a refresh token at which its server's health becomes a warning",
  ],
  call_tool_timeout: [v.optional(callTimeout(), "2m"), hot, "timeout of a tool call to an upstream server"],
  validate_arguments: [
    v.optional(ValidateArguments),
    hot,
    "validation of a call's arguments against the tool's input schema: `warn` records a mismatch in the activity record, `enforce` rejects the call, `off` disables validation; absent: `enforce` for schemas with `additionalProperties: false`, else `warn`",
  ],
  max_concurrent_requests: [
    v.optional(integer(0, 100_000)),
    hot,
    "maximum number of concurrent calls to all servers together; 0: no limit; absent: 10000",
  ],
  queue_size: [
    v.optional(integer(0, 1_000_000)),
    hot,
    "maximum number of calls that wait in the queue when the limit is reached; further calls fail with `queue_full`; absent: 0",
  ],
  queue_timeout: [v.optional(callTimeout()), hot, "maximum time that a call waits in the queue; absent: 30s"],
  max_request_memory_mb: [
    v.optional(integer(0, 1_000_000)),
    hot,
    "maximum memory for the bodies of all concurrent requests (MB); above it, large requests fail with status 503; 0: no limit; absent: 1/64 of the memory, at least 48 and at most 64",
  ],
  server_concurrency_defaults: [
    v.optional(Concurrency, {}),
    hot,
    "concurrency and queue limits for each server that sets none of its own",
  ],
  health_check_interval: [
    v.optional(duration(5000, 3_600_000, "0 or 5s to 1h"), "30s"),
    hot,
    "interval between health checks (pings) of each server; 0: no checks",
  ],
  tool_discovery_interval: [
    v.optional(duration(30_000, 86_400_000, "0 or 30s to 24h"), "5m"),
    hot,
    "interval between tool list requests to servers that send no change notifications; 0: no polling",
  ],
  init_timeout: [
    v.optional(duration(1000, 1_800_000, "0 or 1s to 30m"), "30s"),
    hot,
    "timeout for a server to start and answer `initialize`; 0: the default",
  ],
  intent_declaration: [v.optional(Intent, {}), hot, "validation of the intent that a call declares"],
  enable_code_execution: [flag(true), hot, "enable code execution"],
  activity_retention_days: [
    v.optional(integer(0, 36_500), 90),
    hot,
    "days after which activity records are deleted; 0: never",
  ],
  activity_max_records: [
    v.optional(integer(0, 1_000_000_000), 100_000),
    hot,
    "maximum number of activity records; the oldest are deleted first; 0: no limit",
  ],
  activity_max_response_size: [
    v.optional(integer(0, 100_000_000), 65_536),
    hot,
    "maximum length (characters) of a response stored in an activity record; a longer one is truncated",
  ],
  activity_max_size_mb: [
    v.optional(integer(0, 1_000_000), 256),
    hot,
    "maximum size of the database (MB); above it, the oldest activity records are deleted; 0: no limit",
  ],
  activity_cleanup_interval_min: [
    v.optional(integer(1, 100_000), 60),
    hot,
    "minutes between deletions of activity records that exceed these limits",
  ],
  environment: [v.optional(Environment, {}), hot, "environment variables of the servers that the proxy starts"],
  logging: [
    v.optional(Logging, {}),
    { ...hot, restartWithin: ["log_dir"], replica: true },
    "log on standard error and in files",
  ],
  profiles: [
    v.optional(v.pipe(v.array(Profile), distinctNames("profiles")), []),
    hot,
    "profiles: named sets of servers, each with its own MCP endpoint",
  ],
  registries: [
    v.optional(v.array(Registry), []),
    hot,
    "registries of installable servers, in addition to the built-in ones",
  ],
  registries_locked: [flag(false), hot, "reject every change of the list of registries"],
  allow_private_registry_fetch: [flag(false), hot, "allow registries at private addresses, also over HTTP"],
  server_edition: [
    v.optional(ServerEdition),
    { ...hot, restartWithin: ["enabled", "public_url", "session_cookie_secure", "credential_encryption_key", "oauth"] },
    "multi-user edition: users sign in with an identity provider",
  ],
  mcpServers: [
    v.optional(v.pipe(v.array(ServerConfig, serverListText), distinctNames("mcpServers")), []),
    hot,
    "upstream servers",
  ],
} as const satisfies KeyTable;

/** People paste the file of an MCP client here, where the servers are an object. */
function serverListText(issue: v.BaseIssue<unknown>): string {
  const text = plainIssueText(issue);
  return isJsonObject(issue.input) ? `${text}; import the file of an MCP client with: proxy import <file>` : text;
}

type CoreEntries = EntriesOf<typeof CORE>;

/** All keys: `lib/modules/config.gen.ts` merges those of the modules into this type. */
export interface ConfigEntries extends CoreEntries {}

type Entries = { [K in keyof ConfigEntries]: ConfigEntries[K] };

interface ConfigKey {
  key: keyof Entries;
  schema: v.GenericSchema;
  facts: KeyFacts;
  description: string;
}

const blocks: { after: string; keys: KeyTable }[] = [];
const used: { keys?: readonly ConfigKey[]; document?: v.LooseObjectSchema<Entries, undefined> } = {};

/**
 * Adds the keys of a module.
 *
 * @param place the key after which they stand in the document and in docs/configuration.md
 * @throws Error if the configuration is already in use; code that uses it must load `lib/modules/config.gen.ts` first
 */
export function defineConfig<const T extends KeyTable>(keys: T, place: { after: string }): T {
  if (used.keys) throw new Error(`the configuration was used before ${Object.keys(keys).join(", ")} was defined`);
  blocks.push({ ...place, keys });
  // Modules may load in any order, but the order of the document must be fixed.
  blocks.sort((a, b) => (firstKey(a) < firstKey(b) ? -1 : 1));
  return keys;
}

const firstKey = ({ keys }: { keys: KeyTable }) => Object.keys(keys)[0] ?? "";

/** Returns all top-level keys with their facts and descriptions, in document order. */
export function configKeys(): readonly ConfigKey[] {
  used.keys ??= withBlocks(CORE);
  return used.keys;
}

function withBlocks(table: KeyTable): ConfigKey[] {
  return Object.entries(table).flatMap(([key, [schema, facts, description]]) => [
    { key: key as keyof Entries, schema, facts, description },
    ...blocks.filter(({ after }) => after === key).flatMap(({ keys }) => withBlocks(keys)),
  ]);
}

/** Returns the schema of the whole document. Unknown keys are accepted and kept when the file is written. */
export function configDocument(): v.LooseObjectSchema<Entries, undefined> {
  used.document ??= v.looseObject(Object.fromEntries(configKeys().map(({ key, schema }) => [key, schema])) as Entries);
  return used.document;
}
export type Config = v.InferOutput<ReturnType<typeof configDocument>>;
