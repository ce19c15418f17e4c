/**
 * The fields of an entry of `mcpServers` except its name (spec 000 §2.3), in the order of the documentation. Everything
 * that lists them is derived from this table: the schema of the configuration, the bodies of REST requests, the record
 * of a server, the parameters of `upstream_servers`, the flags of `proxy upstream add` and `patch`, and the form of the
 * control panel. The panel includes this file in its page, so it contains only data and texts.
 */

/** The kind of value of a field. `config/server-config.ts` adds rules that concern a single field. */
type Kind =
  | { readonly kind: "text" | "flag" | "list" | "map" | "object" }
  | { readonly kind: "duration"; readonly minMs: number; readonly maxMs: number; readonly range: string }
  | { readonly kind: "count"; readonly max: number }
  | { readonly kind: "choice"; readonly words: readonly string[] };

export type ServerField = Kind & {
  /** Description in `docs/configuration.md`, in the record and, with `patch: true`, in REST request bodies. */
  readonly about: string;
  /** Set if requests may set the field: its description in requests, or `true` to use `about`. */
  readonly patch?: true | string;
  /**
   * Set if the record shows the field: `set`, if it is configured; `always` (a flag that is not configured as `false`);
   * `masked`, with its secrets masked. Otherwise server-record.ts decides.
   */
  readonly record?: "set" | "always" | "masked";
  /**
   * Description of the parameter of `upstream_servers`; for a list, map or object the parameter is `<name>_json` with
   * JSON text.
   */
  readonly tool?: string;
  /** Flag of the command line; not for lists, maps and objects. */
  readonly cli?: { readonly flag: string; readonly about: string; readonly hint?: string };
  /** Texts of the input in the control panel; a choice, a map or an object needs its own input component. */
  readonly form?: { readonly label: string; readonly hint: string };
};

const LONG_TIMEOUT = { kind: "duration", minMs: 1000, maxMs: 1_800_000, range: "0 or 1s to 30m" } as const;
const CALL_TIMEOUT = { kind: "duration", minMs: 1, maxMs: 86_400_000, range: "more than 0, at most 24h" } as const;

export const SERVER_CONFIG_FIELDS = {
  protocol: {
    kind: "choice",
    words: ["stdio", "http", "sse", "streamable-http", "auto"],
    about:
      "transport; absent or `auto`: `stdio` for a command without a url; for a url, streamable HTTP and, if that fails, the older SSE",
    patch: "transport: stdio, http, sse, streamable-http or auto",
    tool: "stdio, http, sse, streamable-http or auto",
    cli: {
      flag: "protocol",
      hint: "protocol",
      about: "stdio, http, sse, streamable-http or auto; detected by default",
    },
  },
  command: {
    kind: "text",
    about: "program to start; with a url, the program must listen at that url",
    patch: "program to start; an empty text removes it",
    record: "set",
    tool: "program to start, for a local server; with url, it must listen at that address",
  },
  args: {
    kind: "list",
    about: "arguments of the program",
    patch: "arguments of the program; replaces all of them",
    record: "set",
    tool: 'its arguments as a JSON list, such as ["-y", "some-server"]',
  },
  working_dir: {
    kind: "text",
    about: "working directory of the program",
    patch: "working directory of the program; an empty text removes it",
    record: "set",
    tool: "working directory of the program",
  },
  env: {
    kind: "map",
    about: "additional environment variables of the program",
    patch: true,
    record: "masked",
    tool: "environment variables as a JSON object",
  },
  url: {
    kind: "text",
    about: "URL of a remote server, or the URL at which the command listens",
    patch: "URL of a remote server, or the URL at which the command listens; an empty text removes it",
    record: "set",
    tool: "address, for a remote server",
  },
  headers: {
    kind: "map",
    about: "HTTP headers sent with every request",
    patch: true,
    record: "masked",
    tool: "HTTP headers as a JSON object",
  },
  oauth: {
    kind: "object",
    about: "OAuth settings for signing in to the remote server",
    patch: true,
    record: "masked",
    tool: "sign-in settings as a JSON object",
  },
  auth_broker: {
    kind: "object",
    about:
      "credentials for the calls of users in the multi-user edition; absent: calls use the server's shared credentials",
  },
  scope: {
    kind: "choice",
    words: ["cluster", "replica"],
    about:
      "where its command runs if replicas share processes (`cluster.replica_listen`): `cluster`: at one of them, `replica`: at each; absent: `cluster`",
    patch: "cluster or replica",
    record: "set",
  },
  isolation: {
    kind: "object",
    about: "isolation settings of this server",
    patch: true,
    record: "set",
    tool: "container settings as a JSON object",
  },
  enabled: {
    kind: "flag",
    about: "connect to this server",
    patch: true,
    tool: "whether the proxy connects to it, unless it is held",
    cli: { flag: "enabled", about: "connect to the server; --no-enabled: do not" },
  },
  quarantined: {
    kind: "flag",
    about:
      "block calls of its tools until a person lifts the quarantine; absent: `true`, unless `trust_mode` or `quarantine_enabled` specifies otherwise",
    patch: "block calls of its tools until a person lifts the quarantine",
    tool: "true quarantines the server: clients cannot call its tools",
  },
  held: {
    kind: "flag",
    about:
      "set by the proxy after a change over MCP that could send the server's credentials elsewhere or weakens its isolation; the proxy does not connect to the server until its quarantine is lifted",
  },
  trust_mode: {
    kind: "choice",
    words: ["auto", "scan", "manual"],
    about:
      "who approves its tools: `auto`: the proxy, without review; `scan`: the offline scan; `manual`: an administrator; absent: `manual`",
    patch: "auto, scan or manual",
    record: "set",
    cli: {
      flag: "trust-mode",
      hint: "mode",
      about: "who approves its tools: auto (no one), scan (a clean scan) or manual",
    },
  },
  resource_approval: {
    kind: "choice",
    words: ["scan", "manual"],
    about:
      "who approves its new and changed resources after the quarantine is lifted: `scan`: the offline scan; `manual`: an administrator; absent: `scan`",
    record: "set",
  },
  auto_approve_tool_changes: {
    kind: "flag",
    about: "keep approved tools approved when the server changes them",
    patch: true,
    record: "set",
    cli: { flag: "auto-approve", about: "approve changed tools automatically" },
  },
  allow_elicitation: {
    kind: "flag",
    about: "let its tools ask the person behind a call, by a form or an address; absent: true",
    patch: "let its tools ask the person behind a call, by a form or an address",
    record: "set",
  },
  allow_sampling: {
    kind: "flag",
    about: "let its tools ask the client's model for a completion; absent: true",
    patch: "let its tools ask the client's model for a completion",
    record: "set",
  },
  allow_roots: {
    kind: "flag",
    about: "let its tools ask the client for its roots; absent: true",
    patch: "let its tools ask the client for its roots",
    record: "set",
  },
  reconnect_on_use: {
    kind: "flag",
    about: "try to connect once when a tool of the disconnected server is called",
    patch: true,
    record: "always",
    tool: "a call to the disconnected server first tries to connect once",
    cli: { flag: "reconnect-on-use", about: "a call to the disconnected server first tries to connect once" },
    form: {
      label: "Connect on use",
      hint: "A call while the server is disconnected first tries to connect once.",
    },
  },
  init_timeout: {
    ...LONG_TIMEOUT,
    about: "overrides the general `init_timeout`",
    patch: "timeout to start and answer `initialize`, such as 30s",
    record: "set",
    tool: "such as 30s",
    cli: { flag: "init-timeout", hint: "time", about: "maximum time to start and initialize, such as 30s" },
    form: { label: "Start timeout", hint: "such as 30s" },
  },
  launcher_wait_timeout: {
    ...LONG_TIMEOUT,
    about: "timeout for a program with a url to listen at that url; absent: 30s",
    patch: "timeout for a program with a url to listen at that url, such as 30s",
    record: "set",
    tool: "maximum time until a program with a url listens there, such as 30s",
    cli: {
      flag: "launcher-wait",
      hint: "time",
      about: "maximum time until a started command listens at its address, such as 30s",
    },
  },
  call_tool_timeout: {
    ...CALL_TIMEOUT,
    about: "overrides the general `call_tool_timeout`",
    patch: "timeout of a tool call, such as 2m",
    record: "set",
    tool: "such as 2m",
    cli: { flag: "call-timeout", hint: "time", about: "maximum time of a tool call, such as 2m" },
    form: { label: "Call timeout", hint: "such as 2m" },
  },
  validate_arguments: {
    kind: "choice",
    words: ["off", "warn", "enforce"],
    about: "overrides the general `validate_arguments`",
    patch: "validation of arguments against a tool's input schema: off, warn or enforce",
    record: "set",
    cli: {
      flag: "validate-arguments",
      hint: "what",
      about:
        "check arguments against the tool's schema: off, warn (note it in the record) or enforce (reject the call)",
    },
  },
  health_check_interval: {
    kind: "duration",
    minMs: 5000,
    maxMs: 3_600_000,
    range: "0 or 5s to 1h",
    about: "overrides the general `health_check_interval`",
    patch: "interval between health checks, such as 30s; 0: no checks",
    record: "set",
    form: { label: "Health check interval", hint: "such as 30s; 0 disables it" },
  },
  tool_discovery_interval: {
    kind: "duration",
    minMs: 30_000,
    maxMs: 86_400_000,
    range: "0 or 30s to 24h",
    about: "overrides the general `tool_discovery_interval`",
    patch: "interval between tool list requests, such as 5m; 0: no polling",
    record: "set",
    form: { label: "Tool discovery interval", hint: "such as 5m; 0 disables it" },
  },
  max_concurrent_requests: {
    kind: "count",
    max: 100_000,
    about: "maximum number of concurrent calls; 0: no limit; absent: `server_concurrency_defaults`, else 1000",
    patch: "maximum number of concurrent calls; 0: no limit",
    record: "set",
    cli: { flag: "max-concurrent", about: "maximum concurrent calls; 0: no limit" },
    form: { label: "Max concurrent calls", hint: "0: no limit" },
  },
  queue_size: {
    kind: "count",
    max: 1_000_000,
    about:
      "maximum number of calls that wait in the queue when the limit is reached; further calls fail with `queue_full`; absent: `server_concurrency_defaults`, else 0",
    patch: "maximum number of calls that wait in the queue",
    record: "set",
    form: { label: "Queue size", hint: "maximum number of waiting calls; further calls are rejected" },
  },
  queue_timeout: {
    ...CALL_TIMEOUT,
    about:
      "maximum time that a call waits in the queue; absent: `server_concurrency_defaults`, else the general `queue_timeout`",
    patch: "maximum time that a call waits in the queue",
    record: "set",
    form: { label: "Queue timeout", hint: "such as 10s" },
  },
  enabled_tools: { kind: "list", about: "allow only these tools", patch: true, record: "set" },
  disabled_tools: { kind: "list", about: "block these tools", patch: true, record: "set" },
  source_registry_id: { kind: "text", about: "registry that the server was installed from", record: "set" },
  source_registry_provenance: {
    kind: "text",
    about: "`official` for a built-in registry, else `custom`",
    record: "set",
  },
  source_registry_server: { kind: "text", about: "name of the server in the registry", record: "set" },
  source_registry_version: { kind: "text", about: "installed version", record: "set" },
  created: { kind: "text", about: "time at which it was added", record: "set" },
  updated: { kind: "text", about: "time of its last change through the proxy", record: "set" },
} as const satisfies Readonly<Record<string, ServerField>>;

type Fields = typeof SERVER_CONFIG_FIELDS;
type Member = "patch" | "record" | "tool" | "cli" | "form";

/** The fields that have a certain member: those that requests may set, that the record shows, … */
export type FieldsWith<M extends Member> = {
  [K in keyof Fields as Fields[K] extends Record<M, unknown> ? K : never]: Fields[K];
};

/** The type of a field's value in a record, and in a request, where members of a map may be null. */
export type FieldValue<F, Member = string> = F extends { kind: "flag" }
  ? boolean
  : F extends { kind: "count" }
    ? number
    : F extends { kind: "list" }
      ? string[]
      : F extends { kind: "map" }
        ? Record<string, Member>
        : F extends { kind: "object" }
          ? Record<string, unknown>
          : string;

/** Lists the fields that have a certain member, in the order of the table. */
export function fieldsWith<M extends Member>(member: M) {
  return Object.entries<ServerField>(SERVER_CONFIG_FIELDS).filter(([, field]) => field[member] !== undefined) as [
    keyof FieldsWith<M>,
    ServerField & { readonly [K in M]-?: NonNullable<ServerField[K]> },
  ][];
}
