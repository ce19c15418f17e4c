import { resolve } from "node:path";
import type { RestServerPatch } from "#lib/core/config/server-patch.ts";
import type { Args, CommandRun } from "./command.ts";
import { oauthFields } from "./oauth-fields.ts";
import { ENV, HEADER, pairs } from "./pairs.ts";

/** Flags that say something about a server, for `add` and `patch` alike. */
export const SERVER_ARGS = {
  header: { type: "string", many: true, valueHint: "name=value", description: "HTTP header to send to the server" },
  env: {
    type: "string",
    many: true,
    valueHint: "NAME=value",
    description: "environment variable of the server process",
  },
  oauth: {
    type: "string",
    many: true,
    valueHint: "key=value",
    description: "OAuth setting, such as client_id=…; an empty value removes it",
  },
  "working-dir": { type: "string", valueHint: "folder", description: "working directory of the server process" },
  protocol: {
    type: "enum",
    valueHint: "protocol",
    options: ["stdio", "http", "sse", "streamable-http", "auto"],
    description: "stdio, http, sse, streamable-http or auto; detected by default",
  },
  enabled: { type: "boolean", description: "connect to the server; --no-enabled: do not" },
  "trust-mode": {
    type: "enum",
    valueHint: "mode",
    options: ["auto", "scan", "manual"],
    description: "who approves its tools: auto (no one), scan (a clean scan) or manual",
  },
  "auto-approve": { type: "boolean", description: "approve changed tools automatically" },
  "reconnect-on-use": { type: "boolean", description: "a call to the disconnected server first tries to connect once" },
  "init-timeout": {
    type: "string",
    valueHint: "time",
    description: "maximum time to start and initialize, such as 30s",
  },
  "launcher-wait": {
    type: "string",
    valueHint: "time",
    description: "maximum time until a started command listens at its address, such as 30s",
  },
  "call-timeout": { type: "string", valueHint: "time", description: "maximum time of a tool call, such as 2m" },
  "validate-arguments": {
    type: "enum",
    valueHint: "what",
    options: ["off", "warn", "enforce"],
    description:
      "check arguments against the tool's schema: off, warn (note it in the record) or enforce (reject the call)",
  },
  "max-concurrent": { type: "string", number: true, description: "maximum concurrent calls; 0: no limit" },
} as const satisfies Args;

type Given = CommandRun<typeof SERVER_ARGS>["args"];

/**
 * The fields of a server that the flags and what followed `--` say; what was not said is not there.
 *
 * @param folder what a relative `--working-dir` is seen from: the folder one stands in, not the daemon's
 */
export function serverFields(
  given: Given,
  rest: readonly string[],
  folder = process.cwd(),
): Omit<RestServerPatch, "name"> {
  const [program, ...args] = rest;
  const said = {
    command: program,
    args: program === undefined ? undefined : args,
    headers: given.header.length > 0 ? pairs("--header", given.header, HEADER) : undefined,
    env: given.env.length > 0 ? pairs("--env", given.env, ENV) : undefined,
    oauth: given.oauth.length > 0 ? oauthFields(given.oauth) : undefined,
    working_dir: given["working-dir"] && resolve(folder, given["working-dir"]),
    protocol: given.protocol,
    enabled: given.enabled,
    trust_mode: given["trust-mode"],
    auto_approve_tool_changes: given["auto-approve"],
    reconnect_on_use: given["reconnect-on-use"],
    init_timeout: given["init-timeout"],
    launcher_wait_timeout: given["launcher-wait"],
    call_tool_timeout: given["call-timeout"],
    validate_arguments: given["validate-arguments"],
    max_concurrent_requests: given["max-concurrent"],
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}
