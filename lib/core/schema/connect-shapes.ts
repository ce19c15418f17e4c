import * as v from "valibot";

/** The responses of the connect routes (spec 000 §2.7, reference 9.2). */

const about = v.description;

export const ClientStatusShape = v.object({
  id: v.string(),
  name: v.string(),
  icon: v.pipe(v.string(), about("name of its icon")),
  config_path: v.string(),
  exists: v.pipe(v.boolean(), about("its configuration file exists; the proxy checks this without reading the file")),
  connected: v.pipe(
    v.boolean(),
    about(
      "the file has an entry that refers to this proxy or has its name; known only if `access_state` is `accessible`",
    ),
  ),
  supported: v.boolean(),
  bridge: v.optional(v.pipe(v.boolean(), about("the entry starts a bridge program that forwards to the proxy"))),
  note: v.optional(v.string()),
  server_name: v.optional(v.pipe(v.string(), about("name of the entry"))),
  access_state: v.picklist(["unknown", "accessible", "absent", "malformed", "denied"]),
  remediation: v.optional(v.pipe(v.string(), about("remedy if access is denied"))),
  reason: v.optional(v.pipe(v.string(), about("error in the file, if it is malformed"))),
  checked_paths: v.optional(v.array(v.string())),
  proxy_url: v.pipe(v.string(), about("MCP endpoint of this proxy; empty without an HTTP listener")),
  registered_url: v.optional(v.pipe(v.string(), about("target of the entry: scheme, host and path"))),
  endpoint_match: v.pipe(
    v.picklist(["this", "other", "unknown", ""]),
    about("whether the target is this proxy; empty if not connected or if the file was not read"),
  ),
});

export const PreviewShape = v.object({
  client: v.string(),
  config_path: v.string(),
  format: v.pipe(v.picklist(["json", "toml", "yaml"]), about("format of the client's file")),
  server_key: v.pipe(v.string(), about("path of keys to the servers")),
  server_name: v.string(),
  entry: v.pipe(v.record(v.string(), v.unknown()), about("entry that would be written, with a masked secret")),
  entry_text: v.pipe(v.string(), about("the entry as the text of a new file")),
  contains_api_key: v.pipe(v.boolean(), about("the entry contains a credential")),
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
    about("changes of the entry, without values of the present one; empty if the file would not change"),
  ),
  precondition_token: v.pipe(
    v.string(),
    about("revision; send it with the connect request, which is rejected if the file has changed"),
  ),
  connect_refusal: v.optional(v.pipe(v.string(), about("reason why a connect request would be rejected"))),
  note: v.optional(v.string()),
});

export const ConnectResultShape = v.object({
  client: v.string(),
  config_path: v.string(),
  server_name: v.string(),
  action: v.picklist(["created", "updated", "already_exists", "removed", "not_found", "restored", "deleted"]),
  backup_path: v.optional(v.pipe(v.string(), about("path of the backup of the file"))),
  message: v.string(),
});

/** The response of connect to a conflict (spec 000 §4.5 rule 4). */
export const ConnectConflict = v.object({
  success: v.literal(false),
  error: v.string(),
  code: v.literal("connect_conflict"),
  request_id: v.string(),
  action: v.pipe(
    v.picklist(["precondition_failed", "already_exists"]),
    about("request a new preview; `already_exists` also needs `force`"),
  ),
  data: v.object({
    client: v.string(),
    config_path: v.string(),
    server_name: v.string(),
    action: v.string(),
    message: v.string(),
  }),
});

/** A file to which the operating system denies access (spec 000 §4.5 rule 1). */
export const ConnectDenied = v.object({
  success: v.literal(false),
  error: v.string(),
  code: v.literal("connect_denied"),
  request_id: v.string(),
  remediation: v.pipe(v.string(), about("remedy for a person")),
});

const name = v.pipe(v.string(), about("name of the entry; empty or absent: its present name, else mcpproxy"));

export const ConnectBody = v.strictObject({
  server_name: v.optional(name, ""),
  force: v.optional(v.pipe(v.boolean(), about("replace an entry of the same name")), false),
  precondition_token: v.optional(v.pipe(v.string(), about("revision of the preview"))),
});

export const UndoBody = v.strictObject({
  server_name: v.optional(name, ""),
  backup_name: v.optional(
    v.pipe(
      v.string(),
      about(
        "file name of the backup, without a folder; empty if the connect created the file; absent: undo the latest connect",
      ),
    ),
  ),
});

export const ConnectNameQuery = v.object({ server_name: v.optional(name, "") });
