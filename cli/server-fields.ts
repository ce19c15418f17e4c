import { resolve } from "node:path";
import type { RestServerPatch } from "#lib/core/config/server-patch.ts";
import { type FieldsWith, fieldsWith, type ServerField } from "#lib/core/schema/server-config-fields.ts";
import type { Args, CommandRun } from "./command.ts";
import { oauthFields } from "./oauth-fields.ts";
import { ENV, HEADER, pairs } from "./pairs.ts";

type Fields = FieldsWith<"cli">;
type Flag<F> = F extends { kind: "flag" }
  ? { type: "boolean"; description: string }
  : F extends { words: infer W extends readonly string[] }
    ? { type: "enum"; options: W; description: string }
    : F extends { kind: "count" }
      ? { type: "string"; number: true; description: string }
      : { type: "string"; description: string };
type Flags = { [K in keyof Fields as Fields[K]["cli"]["flag"]]: Flag<Fields[K]> };

/** Flags for the fields of a server, for `add` and `patch`. */
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
  ...fieldFlags(),
} as const satisfies Args;

type Given = CommandRun<typeof SERVER_ARGS>["args"];

/**
 * The fields of a server from the flags and the words after `--`; absent flags are omitted.
 *
 * @param folder base of a relative `--working-dir`: the working directory of the command, not of the daemon
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
    ...Object.fromEntries(fieldsWith("cli").map(([name, { cli }]) => [name, given[cli.flag as keyof Flags]])),
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** Flags of single-valued fields, from the table of fields. */
function fieldFlags(): Flags {
  const flags = fieldsWith("cli").map(([, field]) => {
    const { flag, about: description, hint } = field.cli;
    return [flag, { ...flagType(field), ...(hint !== undefined && { valueHint: hint }), description }];
  });
  return Object.fromEntries(flags);
}

function flagType(field: ServerField) {
  if (field.kind === "flag") return { type: "boolean" };
  if (field.kind === "choice") return { type: "enum", options: field.words };
  return { type: "string", ...(field.kind === "count" && { number: true, min: 0 }) };
}
