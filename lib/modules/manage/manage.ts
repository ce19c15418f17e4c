import * as v from "valibot";
import type { App } from "../../core/app.ts";
import { Fault } from "../../core/base/fault.ts";
import { parseJson } from "../../core/base/parse-json.ts";
import { shellWord } from "../../core/base/shell-word.ts";
import { NewServer, ServerPatch, serverPatchFields } from "../../core/config/server-patch.ts";
import type { Passthrough } from "../../core/mcp/tool.ts";
import type { Actor, Caller } from "../../core/schema/caller.ts";
import { issueText, plainIssueText } from "../../core/schema/issue.ts";
import type { McpObject } from "../../core/schema/mcp.ts";
import { fieldsWith } from "../../core/schema/server-config-fields.ts";
import type { ServerRecord } from "../../core/schema/server-record.ts";
import { unknownField } from "../../core/schema/unknown-fields.ts";
import { addServer } from "../../core/verbs/servers/add.ts";
import { disableServer, enableServer } from "../../core/verbs/servers/enable.ts";
import { listServers } from "../../core/verbs/servers/list.ts";
import { readServerLogs } from "../../core/verbs/servers/logs.ts";
import { seesManagement } from "../../core/verbs/servers/may-manage.ts";
import { changedFields } from "../../core/verbs/servers/merge.ts";
import { patchServer } from "../../core/verbs/servers/patch.ts";
import { refreshServer } from "../../core/verbs/servers/refresh.ts";
import { removeServer } from "../../core/verbs/servers/remove.ts";
import { restartServer } from "../../core/verbs/servers/restart.ts";
import { install } from "../registry/install.ts";
import { installedServer } from "../registry/installed-server.ts";
import { readListStandings } from "../scan/list-standings.ts";

export const OPERATIONS = [
  "list",
  "add",
  "add_from_registry",
  "remove",
  "update",
  "patch",
  "enable",
  "disable",
  "restart",
  "refresh",
  "tail_log",
] as const;
type Operation = (typeof OPERATIONS)[number];

/** The operations that an agent token may use within its scope; all of them only read. */
const LOOKING: readonly Operation[] = ["list", "tail_log"];

const LINES = 50;
const MAX_LINES = 500;

/** Fields of a server with more than one value, which may be sent as JSON text under `<field>_json`. */
export const JSON_TEXT_FIELDS = fieldsWith("tool").flatMap(([name, { kind }]) =>
  kind === "list" || kind === "map" || kind === "object" ? [name] : [],
);

/** Whether the management tools are listed and callable for a caller. */
export const isManagementOffered = ({ app, caller }: { app: App; caller: Caller }): boolean =>
  !app.config.current().disable_management && seesManagement(caller);

/** One management operation over the same verbs as REST and the command line (spec 001 §4.1). */
export async function manageServers(
  app: App,
  by: Actor,
  operation: Operation,
  input: McpObject,
  signal: AbortSignal,
): Promise<object> {
  const { tier } = by.caller;
  if (!seesManagement(by.caller)) throw new Fault("admin_required");
  if ((tier === "agent" || tier === "user") && !LOOKING.includes(operation)) throw new Fault("admin_required");
  if (operation === "list") {
    await readListStandings(app, by.caller);
    const servers = listServers(app, by.caller).map(withHint);
    return { servers, total: servers.length };
  }
  if (operation === "add") return added(await addServer(app, fields(NewServer, input), by));
  if (operation === "add_from_registry") return await addFromRegistry(app, by, input, signal);
  const name = nameOf(input);
  switch (operation) {
    case "remove":
      await removeServer(app, name, by);
      return { name, removed: true };
    case "update":
    case "patch":
      return change(app, name, () => patchServer(app, name, fields(ServerPatch, input), by));
    case "enable":
      return change(app, name, () => enableServer(app, name, by));
    case "disable":
      return change(app, name, () => disableServer(app, name, by));
    case "restart": {
      const { record, failure } = await restartServer(app, name, by, signal);
      const restarted = { name, restarted: failure === undefined, ...(failure && { failure }), health: record.health };
      return failure === undefined ? restarted : failedWith(restarted);
    }
    case "refresh":
      return { name, refreshed: true, tool_count: await refreshServer(app, name, by) };
    case "tail_log":
      return tail(app, by, name, input.lines);
  }
}

/** The error result of a failed operation, with the current state. */
function failedWith(value: object): Passthrough {
  const result = { content: [{ type: "text", text: JSON.stringify(value) }], isError: true };
  return { passthrough: { result, raw: JSON.stringify(result) } };
}

/**
 * Adds a server from a registry. The definition comes from the registry's entry; the caller chooses only its inputs,
 * its name and whether it is enabled.
 */
async function addFromRegistry(app: App, by: Actor, input: McpObject, signal: AbortSignal): Promise<object> {
  const { registry, id, name } = input;
  if (typeof registry !== "string" || registry === "") throw invalid("registry: is required");
  if (typeof id !== "string" || id === "") throw invalid("id: is required");
  const { env, enabled } = fields(v.object({ env: serverPatchFields.env, enabled: serverPatchFields.enabled }), input);
  if (env && Object.values(env).includes(null)) throw invalid("env_json: every value must be a string");
  const overrides = {
    ...(typeof name === "string" && name !== "" && { name }),
    ...(env && { env: env as Record<string, string> }),
    ...(typeof enabled === "boolean" && { enabled }),
  };
  const server = installedServer(app, await install(app, registry, id, overrides, by, signal), by.caller);
  return {
    ...server,
    added: true,
    message: review(server.name),
  };
}

function added(record: ServerRecord): object {
  const { name, enabled, quarantined, held, health } = record;
  return { name, added: true, enabled, quarantined, ...(held && { held }), health, message: review(name) };
}

/** Adds the command that an administrator must run, for the client to pass on. */
function withHint(record: ServerRecord): object {
  return record.health.action === "login"
    ? { ...record, hint: `a person can sign in to it with: proxy upstream login ${shellWord(record.name)}` }
    : record;
}

/** Changes a server and returns the changed fields; the message says if the server is held. */
async function change(app: App, name: string, verb: () => Promise<ServerRecord>): Promise<object> {
  const before = app.config.server(name);
  const { enabled, quarantined, held, health } = await verb();
  const after = app.config.server(name);
  // The message already says that the server is held.
  const changed = before && after ? changedFields(before, after).filter((field) => field !== "held") : [];
  return {
    name,
    updated: true,
    changed,
    enabled,
    quarantined,
    ...(held && { held }),
    health,
    message: `${changed.length} field(s) of ${name} changed.${held ? ` ${review(name)}` : ""}`,
  };
}

/** The command with which an administrator reviews a server, for the client to pass on. */
function review(name: string): string {
  return `${name} is held: the proxy neither starts nor contacts it until an administrator reviews its definition and confirms it in the control panel or with: proxy upstream confirm ${shellWord(name)}. Then it stays quarantined until an administrator releases it.`;
}

async function tail(app: App, by: Actor, name: string, requestedCount: unknown): Promise<object> {
  const count = requestedCount === undefined || requestedCount === null ? LINES : requestedCount;
  if (typeof count !== "number" || !Number.isInteger(count) || count < 1 || count > MAX_LINES)
    throw invalid(`lines must be a whole number from 1 to ${MAX_LINES}`);
  const lines = await readServerLogs(app, name, count, by.caller);
  return { server_name: name, lines_requested: count, lines_returned: lines.length, log_lines: lines };
}

function nameOf({ name }: McpObject): string {
  if (typeof name !== "string" || name === "") throw invalid("name: is required");
  return name;
}

/**
 * Reads a server's fields from the input, including those given as JSON text, and validates them with the schema of the
 * REST body.
 */
function fields<S extends v.GenericSchema<unknown, McpObject>>(schema: S, input: McpObject): v.InferOutput<S> {
  const args: McpObject = { ...input };
  for (const field of JSON_TEXT_FIELDS) {
    const text = input[`${field}_json`];
    const value = typeof text === "string" ? read(`${field}_json`, text) : text;
    // A client that fills in every parameter sends null or an empty text beside the field itself.
    if (value !== undefined && (value !== null || args[field] === undefined)) args[field] = value;
  }
  for (const field of JSON_TEXT_FIELDS) {
    const unknown = unknownField(v.pick(ServerPatch, [field]), { [field]: args[field] });
    if (unknown !== undefined) throw invalid(unknown);
  }
  const checked = v.safeParse(schema, args, { message: plainIssueText });
  if (checked.success) return checked.output;
  throw invalid(issueText(checked.issues));
}

function read(name: string, text: string): unknown {
  // Clients that fill in every field send an empty text for a field that they do not set.
  if (text.trim() === "") return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    throw invalid(`${name} is not valid JSON: ${(error as SyntaxError).message}`);
  }
}

function invalid(reason: string): Fault {
  return new Fault("invalid_args", { reason: `upstream_servers: ${reason}` });
}
