import { resolve } from "node:path";
import type { ServerPatch } from "#lib/shape/server-patch.ts";
import type { CommandRun, FlagSpecs } from "./command.ts";
import { ENV, HEADER, pairs } from "./pairs.ts";

/** Flags that say something about a server, for `add` and `patch` alike. */
export const SERVER_FLAGS = {
  header: { type: "list", hint: "name=value", about: "HTTP header sent to it" },
  env: { type: "list", hint: "NAME=value", about: "environment variable given to it" },
  "working-dir": { type: "string", hint: "folder", about: "folder it starts in" },
  protocol: {
    type: "string",
    hint: "protocol",
    choices: ["stdio", "http", "sse", "streamable-http", "auto"],
    about: "stdio, http, sse, streamable-http or auto; found by itself when left out",
  },
  enabled: { type: "boolean", about: "connect to it; --no-enabled: do not" },
  "trust-mode": {
    type: "string",
    hint: "mode",
    choices: ["auto", "scan", "manual"],
    about: "auto: its tools need no approval; scan or manual: they do",
  },
  "auto-approve": { type: "boolean", about: "changes of its tools need no approval" },
  "reconnect-on-use": { type: "boolean", about: "a call to it, disconnected, tries one connection first" },
  "init-timeout": { type: "string", hint: "time", about: "longest wait for it to start, such as 30s" },
  "call-timeout": { type: "string", hint: "time", about: "longest wait for a tool call, such as 2m" },
  "max-concurrent": { type: "number", about: "calls at once; 0: no limit" },
} as const satisfies FlagSpecs;

type Given = CommandRun<Record<never, never>, typeof SERVER_FLAGS>["flags"];

/**
 * The fields of a server that the flags and what followed `--` say; what was not said is not there.
 *
 * @param folder what a relative `--working-dir` is seen from: the folder one stands in, not the daemon's
 */
export function serverFields(flags: Given, rest: readonly string[], folder = process.cwd()): ServerPatch {
  const [program, ...args] = rest;
  const said = {
    command: program,
    args: program === undefined ? undefined : args,
    headers: flags.header.length > 0 ? pairs("--header", flags.header, HEADER) : undefined,
    env: flags.env.length > 0 ? pairs("--env", flags.env, ENV) : undefined,
    working_dir: flags["working-dir"] && resolve(folder, flags["working-dir"]),
    protocol: flags.protocol,
    enabled: flags.enabled,
    trust_mode: flags["trust-mode"],
    auto_approve_tool_changes: flags["auto-approve"],
    reconnect_on_use: flags["reconnect-on-use"],
    init_timeout: flags["init-timeout"],
    call_tool_timeout: flags["call-timeout"],
    max_concurrent_requests: flags["max-concurrent"],
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}
