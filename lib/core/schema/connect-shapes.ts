import * as v from "valibot";

/** What the routes of connect answer (spec 000 §2.7, reference 9.2). */

const about = v.description;

export const ClientStatusShape = v.object({
  id: v.string(),
  name: v.string(),
  icon: v.pipe(v.string(), about("the word for its icon")),
  config_path: v.string(),
  exists: v.pipe(v.boolean(), about("its configuration file is there, by metadata alone")),
  connected: v.pipe(
    v.boolean(),
    about(
      "an entry of this proxy, or one that carries its name, is in it; known only where access_state is accessible",
    ),
  ),
  supported: v.boolean(),
  bridge: v.optional(v.pipe(v.boolean(), about("the entry starts a program that passes everything on"))),
  note: v.optional(v.string()),
  server_name: v.optional(v.pipe(v.string(), about("what the entry is called"))),
  access_state: v.picklist(["unknown", "accessible", "absent", "malformed", "denied"]),
  remediation: v.optional(v.pipe(v.string(), about("what to do, where access is denied"))),
  reason: v.optional(v.pipe(v.string(), about("what is wrong with the file, where it is malformed"))),
  checked_paths: v.optional(v.array(v.string())),
  proxy_url: v.pipe(v.string(), about("this instance's MCP endpoint; empty without an HTTP listener")),
  registered_url: v.optional(v.pipe(v.string(), about("where the entry leads: scheme, host and path"))),
  endpoint_match: v.pipe(
    v.picklist(["this", "other", "unknown", ""]),
    about("whether that is this instance; empty when not connected or nothing was read"),
  ),
});

export const PreviewShape = v.object({
  client: v.string(),
  config_path: v.string(),
  format: v.pipe(
    v.picklist(["json", "toml", "yaml"]),
    about("of the client's file; yaml for the few clients whose file is YAML, such as goose and continue"),
  ),
  server_key: v.pipe(v.string(), about("the keys down to the servers")),
  server_name: v.string(),
  entry: v.pipe(v.record(v.string(), v.unknown()), about("what would be written, its secret masked")),
  entry_text: v.pipe(v.string(), about("the same as it stands in an empty file")),
  contains_api_key: v.pipe(v.boolean(), about("a credential is written")),
  credential: v.picklist(["none", "agent_token"]),
  entry_exists: v.boolean(),
  existing_entry_summary: v.optional(
    v.object({
      entry_name: v.string(),
      type: v.optional(v.string()),
      endpoint: v.optional(v.string()),
      command: v.optional(v.string()),
      header_names: v.optional(v.array(v.string())),
      env_names: v.optional(v.array(v.string())),
    }),
  ),
  diff: v.pipe(
    v.string(),
    about("what changes in the entry; of the present one only names, and empty when the file stays as it is"),
  ),
  precondition_token: v.pipe(v.string(), about("sent with the connect, it holds only while nothing has changed")),
  connect_refusal: v.optional(v.pipe(v.string(), about("why a connect would be refused in any case"))),
  note: v.optional(v.string()),
});

export const ConnectResultShape = v.object({
  client: v.string(),
  config_path: v.string(),
  server_name: v.string(),
  action: v.picklist(["created", "updated", "already_exists", "removed", "not_found", "restored", "deleted"]),
  backup_path: v.optional(v.pipe(v.string(), about("the copy of the file as it was"))),
  message: v.string(),
});

/** The conflict as connect tells it (spec 000 §4.5 rule 4). */
export const Conflict = v.object({
  success: v.literal(false),
  error: v.string(),
  code: v.literal("connect_conflict"),
  request_id: v.string(),
  action: v.pipe(
    v.picklist(["precondition_failed", "already_exists"]),
    about("look at a new preview; the second one then needs force as well"),
  ),
  data: v.object({
    client: v.string(),
    config_path: v.string(),
    server_name: v.string(),
    action: v.string(),
    message: v.string(),
  }),
});

/** A file that the system denies (spec 000 §4.5 rule 1). */
export const Denied = v.object({
  success: v.literal(false),
  error: v.string(),
  code: v.literal("connect_denied"),
  request_id: v.string(),
  remediation: v.pipe(v.string(), about("what a person does about it")),
});

const name = v.pipe(
  v.string(),
  about("what the entry is called; empty or left out: mcpproxy, or what it is called there"),
);

export const ConnectBody = v.strictObject({
  server_name: v.optional(name, ""),
  force: v.optional(v.pipe(v.boolean(), about("replace an entry of the same name")), false),
  precondition_token: v.optional(v.pipe(v.string(), about("of the preview"))),
});

export const UndoBody = v.strictObject({
  server_name: v.optional(name, ""),
  backup_name: v.optional(
    v.pipe(
      v.string(),
      about("bare file name of the backup; empty when the connect made the file; left out: undo the newest connect"),
    ),
  ),
});

export const NameQuery = v.object({ server_name: v.optional(name, "") });
