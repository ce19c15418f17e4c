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
      about(`${description}; a key with a text is set, with null deleted, absent ones stay`),
    ),
  );
/** The members of a part of the configuration, whose own schema judges their values once they are merged. */
const object = (part: { readonly entries: v.ObjectEntries }, description: string) =>
  v.nullish(v.pipe(v.object(namesOf(part.entries)), about(`${description}; merged deeply, null removes a member`)));

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
export const serverFields = {
  protocol: text("stdio, http, sse, streamable-http or auto"),
  command: text("program to start; an empty text clears"),
  args: list("its arguments, replaced as a whole"),
  working_dir: text("folder it starts in; an empty text clears"),
  env: map("environment added for it"),
  url: text("address of a remote server; an empty text clears"),
  headers: map("headers sent with every request"),
  oauth: object(OAuthConfig, "sign-in at the remote server"),
  isolation: object(IsolationConfig, "container settings"),
  enabled: flag("whether it is connected to"),
  quarantined: flag("its tools are not called until a person lifts this"),
  trust_mode: text("auto, scan or manual"),
  auto_approve_tool_changes: flag("changes of its tools need no approval"),
  reconnect_on_use: flag("a call to the disconnected server tries one connection first"),
  init_timeout: text("such as 30s"),
  launcher_wait_timeout: text("such as 30s: how long a program with a url has to listen there"),
  call_tool_timeout: text("such as 2m"),
  validate_arguments: text("off, warn or enforce: what becomes of arguments that do not match a tool's input schema"),
  health_check_interval: text("such as 30s; 0 switches it off"),
  tool_discovery_interval: text("such as 5m; 0 switches it off"),
  max_concurrent_requests: count("calls at once; 0: no limit"),
  queue_size: count("calls that may wait for a place"),
  queue_timeout: text("longest wait for a place"),
  enabled_tools: list("only these tools may be used"),
  disabled_tools: list("these tools may not be used"),
} as const;

/**
 * The same over REST, where a switch and the arguments are there or absent (spec 000 §4.2): null, from a client that
 * means "no value", would remove `enabled` and so start a server that is off.
 */
export const ServerChange = v.object({
  name: v.optional(v.pipe(v.string(), about("as in the path; a server keeps its name"))),
  ...serverFields,
  enabled: v.optional(serverFields.enabled.wrapped),
  quarantined: v.optional(serverFields.quarantined.wrapped),
  args: v.optional(serverFields.args.wrapped),
});

export const ServerPatch = v.object(serverFields);
export type ServerChange = v.InferOutput<typeof ServerChange>;
export type ServerPatch = v.InferOutput<typeof ServerPatch>;

export const NewServer = v.object({
  name: v.pipe(v.string(), about("unique; the first part of a tool's id `name:tool`")),
  ...serverFields,
});
export type NewServer = v.InferOutput<typeof NewServer>;
