import * as v from "valibot";
import { members } from "./members.ts";

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
const object = (description: string) => v.nullish(v.pipe(v.looseObject({}), about(`${description}; merged deeply`)));

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
  oauth: object("sign-in at the remote server"),
  isolation: object("container settings"),
  enabled: flag("whether it is connected to"),
  quarantined: flag("its tools are not called until a person lifts this"),
  trust_mode: text("auto, scan or manual"),
  auto_approve_tool_changes: flag("changes of its tools need no approval"),
  reconnect_on_use: flag("a call to the disconnected server tries one connection first"),
  init_timeout: text("such as 30s"),
  launcher_wait_timeout: text("such as 30s: how long a program with a url has to listen there"),
  call_tool_timeout: text("such as 2m"),
  health_check_interval: text("such as 30s; 0 switches it off"),
  tool_discovery_interval: text("such as 5m; 0 switches it off"),
  max_concurrent_requests: count("calls at once; 0: no limit"),
  queue_size: count("calls that may wait for a place"),
  queue_timeout: text("longest wait for a place"),
  enabled_tools: list("only these tools may be used"),
  disabled_tools: list("these tools may not be used"),
} as const;

export const ServerPatch = v.object(serverFields);
export type ServerPatch = v.InferOutput<typeof ServerPatch>;

export const NewServer = v.object({
  name: v.pipe(v.string(), about("unique; the first part of a tool's id `name:tool`")),
  ...serverFields,
});
export type NewServer = v.InferOutput<typeof NewServer>;
