import * as v from "valibot";
import { members } from "../schema/members.ts";
import { IsolationConfig, OAuthConfig } from "./server.ts";

const about = v.description;
const text = (description: string) => v.nullish(v.pipe(v.string(), about(description)));
const flag = (description: string) => v.nullish(v.pipe(v.boolean(), about(description)));
const count = (description: string) => v.nullish(v.pipe(v.number(), about(description)));
const list = (description: string) => v.nullish(v.pipe(v.array(v.string()), about(description)));
const map = (description: string) =>
  v.nullish(
    v.pipe(
      members(v.nullable(v.string())),
      about(`${description}; a string sets a key, null deletes it, absent keys stay unchanged`),
    ),
  );
/** The members of a part of the configuration, whose own schema judges their values once they are merged. */
const object = (part: { readonly entries: v.ObjectEntries }, description: string) =>
  v.nullish(v.pipe(v.object(namesOf(part.entries)), about(`${description}; deep-merged; null removes a member`)));

function namesOf(entries: v.ObjectEntries) {
  const optional = (schema: unknown) => {
    const text = v.getDescription(inner(schema as Wrapping));
    return v.optional(text === undefined ? v.unknown() : v.pipe(v.unknown(), about(text)));
  };
  return Object.fromEntries(Object.entries(entries).map(([name, schema]) => [name, optional(schema)]));
}

type Wrapping = v.GenericSchema & { readonly wrapped?: Wrapping };
const inner = (schema: Wrapping): v.GenericSchema => (schema.wrapped ? inner(schema.wrapped) : schema);

/**
 * What may be changed about a server, or given for a new one (spec 000 §4.2): absent keeps, null removes. Ranges and
 * combinations are judged by the configuration's own schema once merged.
 */
export const serverPatchFields = {
  protocol: text("transport: stdio, http, sse, streamable-http or auto"),
  command: text("program to start; an empty text removes it"),
  args: list("arguments of the program; replaces all of them"),
  working_dir: text("working directory of the program; an empty text removes it"),
  env: map("additional environment variables of the program"),
  url: text("URL of a remote server, or the URL at which the command listens; an empty text removes it"),
  headers: map("HTTP headers sent with every request"),
  oauth: object(OAuthConfig, "OAuth settings for signing in to the remote server"),
  isolation: object(IsolationConfig, "isolation settings of this server"),
  enabled: flag("connect to this server"),
  quarantined: flag("block calls of its tools until a person lifts the quarantine"),
  trust_mode: text("auto, scan or manual"),
  auto_approve_tool_changes: flag("keep approved tools approved when the server changes them"),
  reconnect_on_use: flag("try to connect once when a tool of the disconnected server is called"),
  init_timeout: text("timeout to start and answer `initialize`, such as 30s"),
  launcher_wait_timeout: text("timeout for a program with a url to listen at that url, such as 30s"),
  call_tool_timeout: text("timeout of a tool call, such as 2m"),
  validate_arguments: text("validation of arguments against a tool's input schema: off, warn or enforce"),
  health_check_interval: text("interval between health checks, such as 30s; 0: no checks"),
  tool_discovery_interval: text("interval between tool list requests, such as 5m; 0: no polling"),
  max_concurrent_requests: count("maximum number of concurrent calls; 0: no limit"),
  queue_size: count("maximum number of calls that wait in the queue"),
  queue_timeout: text("maximum time that a call waits in the queue"),
  enabled_tools: list("allow only these tools"),
  disabled_tools: list("block these tools"),
} as const;

/**
 * The same over REST, where a switch and the arguments are there or absent (spec 000 §4.2): null, from a client that
 * means "no value", would remove `enabled` and so start a server that is off.
 */
export const RestServerPatch = v.object({
  name: v.optional(v.pipe(v.string(), about("same name as in the path; a server cannot be renamed"))),
  ...serverPatchFields,
  enabled: v.optional(serverPatchFields.enabled.wrapped),
  quarantined: v.optional(serverPatchFields.quarantined.wrapped),
  args: v.optional(serverPatchFields.args.wrapped),
});

export const ServerPatch = v.object(serverPatchFields);
export type RestServerPatch = v.InferOutput<typeof RestServerPatch>;
export type ServerPatch = v.InferOutput<typeof ServerPatch>;

export const NewServer = v.object({
  name: v.pipe(v.string(), about("unique name; the first part of a tool's id `name:tool`")),
  ...serverPatchFields,
});
export type NewServer = v.InferOutput<typeof NewServer>;
