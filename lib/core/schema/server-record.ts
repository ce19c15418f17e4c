import * as v from "valibot";
import { type FieldsWith, type FieldValue, fieldsWith, type ServerField } from "./server-config-fields.ts";

const about = v.description;
const text = (description: string) => v.optional(v.pipe(v.string(), about(description)));
const flag = (description: string) => v.optional(v.pipe(v.boolean(), about(description)));
const count = (description: string) => v.pipe(v.number(), about(description));

/** The schema of each kind of field in a record. */
const VALUES: Readonly<Record<ServerField["kind"], v.GenericSchema>> = {
  text: v.string(),
  duration: v.string(),
  choice: v.string(),
  flag: v.boolean(),
  count: v.number(),
  list: v.array(v.string()),
  map: v.record(v.string(), v.string()),
  object: v.record(v.string(), v.unknown()),
};

/** The health of a server (spec 000 §2.4). */
export const HealthRecord = v.object({
  level: v.picklist(["healthy", "degraded", "unhealthy"]),
  admin_state: v.picklist(["enabled", "disabled", "quarantined"]),
  summary: v.pipe(v.string(), about("for people")),
  detail: text("additional context"),
  action: v.pipe(
    v.picklist(["", "login", "restart", "enable", "approve", "view_logs", "set_secret", "configure"]),
    about("suggested remedy; empty if none is needed"),
  ),
});

/** The isolation settings that apply if the server's own `isolation` omits them (reference 1.4). */
export const IsolationDefaults = v.object({
  enabled: v.boolean(),
  mode: v.string(),
  runtime_type: v.pipe(v.string(), about("runtime that its command needs in an image: python, node, go… or binary")),
  image: v.string(),
  network_mode: v.string(),
  memory_limit: v.string(),
  cpu_limit: v.string(),
  extra_args: v.pipe(v.array(v.string()), about("masked")),
});
export type IsolationDefaults = v.InferOutput<typeof IsolationDefaults>;

type Shown = FieldsWith<"record">;

/** The fields that the record shows as configured. */
const recordFields = Object.fromEntries(
  fieldsWith("record").map(([name, { kind, about: text, record }]) => {
    const schema: v.GenericSchema = v.pipe(VALUES[kind], about(record === "masked" ? `${text}; masked` : text));
    return [name, record === "always" ? schema : v.optional(schema)];
  }),
) as {
  [K in keyof Shown]: Shown[K] extends { record: "always" }
    ? v.GenericSchema<FieldValue<Shown[K]>>
    : v.OptionalSchema<v.GenericSchema<FieldValue<Shown[K]>>, undefined>;
};

/** One upstream server as REST and the control panel show it: its masked definition and its state (spec 000 §2.3). */
export const ServerRecord = v.object({
  id: v.pipe(v.string(), about("the name")),
  name: v.string(),
  protocol: v.pipe(v.string(), about("`stdio` for a command; `http`, `sse`, `streamable-http` or `auto` for a url")),
  enabled: v.boolean(),
  connected: v.boolean(),
  connecting: v.boolean(),
  status: v.pipe(v.string(), about("connection state, in lower case")),
  quarantined: v.boolean(),
  held: v.optional(
    v.pipe(
      v.literal(true),
      about("added or changed over MCP; the proxy does not start it until an administrator confirms it"),
    ),
  ),
  tool_count: count("number of tools that the server lists"),
  health: HealthRecord,
  quarantine: v.optional(
    v.object({
      pending_count: count("number of tools that wait for their first approval"),
      changed_count: count("number of tools that changed after their approval"),
      blocked_count: count("number of tools blocked by a person"),
      items: v.optional(
        v.pipe(
          v.object({
            pending_count: count("number that wait for their first approval"),
            changed_count: count("number that changed after their approval"),
            blocked_count: count("number blocked by a person"),
          }),
          about("prompts, resources and resource templates; absent if none waits or is blocked"),
        ),
      ),
    }),
  ),
  scan: v.optional(
    v.pipe(
      v.object({
        verdict: v.picklist(["clean", "suspicious", "dangerous"]),
        risk_score: count("from 0 to 100"),
        findings: count("findings of discovery and of the last scan"),
      }),
      about("security summary, for administrators; absent if nothing was listed or scanned"),
    ),
  ),
  ...recordFields,
  isolation_defaults: v.optional(
    v.pipe(
      IsolationDefaults,
      about("general isolation settings, which apply where `isolation` sets no others; for servers with a command"),
    ),
  ),
  revision: v.pipe(v.string(), about("revision of the definition; send it as `If-Match` with a change")),
  last_error: text("last connection error, without secrets"),
  items_error: text("why its prompts and resources could not be listed; absent after a good listing"),
  authenticated: flag("the proxy is signed in to the server"),
  oauth_status: text(
    "state of the sign-in: none, pending, authenticated, expired or error; absent if there never was one",
  ),
  user_logged_out: flag("the proxy does not try to connect until someone signs in again"),
  token_expires_at: text("expiry of the current token"),
  connected_at: text("start of the connection; absent while disconnected"),
  next_attempt_at: text("time of the next connection attempt"),
  retry_count: count("failed attempts since the last connection"),
  reconnect_count: count("number of reconnections"),
  server_info: v.optional(
    v.pipe(
      v.object({ name: v.string(), version: v.string(), title: v.optional(v.string()) }),
      about("name and version that the server reports"),
    ),
  ),
  protocol_version: text("MCP protocol version of the connection"),
});
export type ServerRecord = v.InferOutput<typeof ServerRecord>;

/** The number of decisions that wait for a person. */
export const WaitingDecisions = v.pipe(
  v.object({
    servers: count("number of servers that need review or confirmation"),
    tools: count("new and changed tools of all other enabled servers"),
    items: count("new and changed prompts, resources and resource templates of these servers"),
    total: count("sum of all"),
  }),
  about("items that need a person"),
);

/** The response to a change of one server: the record after the change, and the action taken. */
export const ServerAction = v.object({
  ...ServerRecord.entries,
  server: v.pipe(v.string(), about("the name")),
  action: v.pipe(v.string(), about("action")),
  success: v.literal(true),
  message: v.string(),
});
export type ServerAction = v.InferOutput<typeof ServerAction>;

/** The response to an operation on all servers. */
export const BulkAnswer = v.object({
  total: v.number(),
  successful: v.number(),
  failed: v.number(),
  errors: v.pipe(v.record(v.string(), v.string()), about("reason by server name")),
  servers: v.array(v.object({ server: v.string(), ok: v.boolean(), message: v.string() })),
});
