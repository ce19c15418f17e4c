import * as v from "valibot";

const about = v.description;
const text = (description: string) => v.optional(v.pipe(v.string(), about(description)));
const flag = (description: string) => v.optional(v.pipe(v.boolean(), about(description)));
const count = (description: string) => v.pipe(v.number(), about(description));

/** Spec 000 §2.4. */
export const HealthRecord = v.object({
  level: v.picklist(["healthy", "degraded", "unhealthy"]),
  admin_state: v.picklist(["enabled", "disabled", "quarantined"]),
  summary: v.pipe(v.string(), about("for people")),
  detail: text("further context"),
  action: v.pipe(
    v.picklist(["", "login", "restart", "enable", "approve", "view_logs", "set_secret", "configure"]),
    about("suggested remedy; empty when there is nothing to do"),
  ),
});

/** What holds where a server's own `isolation` is silent (reference 1.4). */
export const IsolationDefaults = v.object({
  enabled: v.boolean(),
  mode: v.string(),
  runtime_type: v.pipe(v.string(), about("what its command needs of an image: python, node, go… or binary")),
  image: v.string(),
  network_mode: v.string(),
  memory_limit: v.string(),
  cpu_limit: v.string(),
  extra_args: v.pipe(v.array(v.string()), about("masked")),
});
export type IsolationDefaults = v.InferOutput<typeof IsolationDefaults>;

/** One upstream server as it is shown: definition, masked, and state (spec 000 §2.3). */
export const ServerRecord = v.object({
  id: v.pipe(v.string(), about("the name")),
  name: v.string(),
  protocol: v.pipe(v.string(), about("stdio for a command; http, sse, streamable-http or auto for an address")),
  enabled: v.boolean(),
  connected: v.boolean(),
  connecting: v.boolean(),
  status: v.pipe(v.string(), about("connection state, lower case")),
  quarantined: v.boolean(),
  held: v.optional(
    v.pipe(v.literal(true), about("added or changed over MCP; not started until an administrator confirms it")),
  ),
  tool_count: count("tools it lists"),
  health: HealthRecord,
  quarantine: v.optional(
    v.object({
      pending_count: count("tools waiting for a first approval"),
      changed_count: count("tools that changed since theirs"),
      blocked_count: count("tools a person blocked"),
    }),
  ),
  scan: v.optional(
    v.pipe(
      v.object({
        verdict: v.picklist(["clean", "suspicious", "dangerous"]),
        risk_score: count("0 to 100"),
        findings: count("of discovery and of the last scan together"),
      }),
      about("what is known of its safety, for administrators; absent where nothing was listed or scanned"),
    ),
  ),
  url: text("address"),
  command: text("program"),
  args: v.optional(v.array(v.string())),
  env: v.optional(v.pipe(v.record(v.string(), v.string()), about("masked"))),
  headers: v.optional(v.pipe(v.record(v.string(), v.string()), about("masked"))),
  working_dir: text("folder it starts in"),
  oauth: v.optional(v.pipe(v.record(v.string(), v.unknown()), about("masked"))),
  isolation: v.optional(v.record(v.string(), v.unknown())),
  isolation_defaults: v.optional(
    v.pipe(IsolationDefaults, about("what holds where `isolation` says nothing else; for servers with a command")),
  ),
  reconnect_on_use: v.boolean(),
  auto_approve_tool_changes: flag("absent when never set"),
  trust_mode: text("auto, scan or manual"),
  enabled_tools: v.optional(v.array(v.string())),
  disabled_tools: v.optional(v.array(v.string())),
  init_timeout: text("as configured"),
  launcher_wait_timeout: text("as configured"),
  call_tool_timeout: text("as configured"),
  validate_arguments: text("off, warn or enforce; absent: as in general"),
  health_check_interval: text("as configured"),
  tool_discovery_interval: text("as configured"),
  max_concurrent_requests: v.optional(v.number()),
  queue_size: v.optional(v.number()),
  queue_timeout: text("as configured"),
  source_registry_id: text("registry it was installed from"),
  source_registry_provenance: text("official for a built-in registry, else custom"),
  source_registry_server: text("what it is called there"),
  source_registry_version: text("version it was installed in"),
  created: text("when it was added"),
  updated: text("when it was last changed through the program"),
  revision: v.pipe(v.string(), about("mark of the definition; send it as If-Match with a change")),
  last_error: text("of the connection, scrubbed"),
  authenticated: flag("somebody is signed in at it"),
  oauth_status: text("of the sign-in: none, pending, authenticated, expired, error; absent where there never was one"),
  user_logged_out: flag("nothing is tried before somebody signs in again"),
  token_expires_at: text("when the present token of the sign-in ends"),
  connected_at: text("since when it is connected; absent while it is not"),
  next_attempt_at: text("when the next connection attempt is due"),
  retry_count: count("failed attempts since the last connection"),
  reconnect_count: count("connections made after the first"),
  server_info: v.optional(
    v.pipe(
      v.object({ name: v.string(), version: v.string(), title: v.optional(v.string()) }),
      about("as the server introduced itself"),
    ),
  ),
  protocol_version: text("MCP revision spoken with it"),
});
export type ServerRecord = v.InferOutput<typeof ServerRecord>;

/** How many decisions wait for a person. */
export const WaitingCount = v.pipe(
  v.object({
    servers: count("servers to review or to confirm"),
    tools: count("new and changed tools of all other enabled servers"),
    total: count("both together"),
  }),
  about("what waits for a person"),
);

/** What a change of one server answers: the record after it, and what was done. */
export const ServerAction = v.object({
  ...ServerRecord.entries,
  server: v.pipe(v.string(), about("the name")),
  action: v.pipe(v.string(), about("what was done")),
  success: v.literal(true),
  message: v.string(),
});
export type ServerAction = v.InferOutput<typeof ServerAction>;

/** What an operation on all servers answers. */
export const BulkAnswer = v.object({
  total: v.number(),
  successful: v.number(),
  failed: v.number(),
  errors: v.pipe(v.record(v.string(), v.string()), about("server name to reason")),
  servers: v.array(v.object({ server: v.string(), ok: v.boolean(), message: v.string() })),
});
