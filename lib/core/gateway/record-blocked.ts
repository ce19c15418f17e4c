import type { App } from "../app.ts";
import type { Actor } from "../schema/caller.ts";
import type { Finding } from "../schema/sensitive-finding.ts";
import { addFindings, callMetadata, recordedArguments } from "./call-entry.ts";
import { publishBlocked, publishFindings } from "./publish.ts";
import { type ActivityEntry, record } from "./record.ts";
import type { CallRequest } from "./stages/stage.ts";

/** One call that was not made. */
export interface BlockedCall {
  /** Empty where the name called names none. */
  server: string;
  tool: string;
  request: CallRequest;
  reason: string;
  detail: string;
  /** Sensitive data in its arguments, where that was looked at. */
  found?: readonly Finding[];
}

/** Longest name of a server or tool kept with a record of a refused call: names of what exists are shorter (characters). */
const MAX_NAME = 256;

/** Records a call that was refused before anything was sent. */
export function recordBlocked(app: App, by: Actor, blocked: BlockedCall): void {
  const { server, tool, request, reason, detail, found = [] } = blocked;
  const entry: ActivityEntry = {
    type: "policy_decision",
    tool_name: tool.slice(0, MAX_NAME),
    status: "blocked",
    error_message: detail,
    arguments: recordedArguments(request.args, JSON.stringify(request.args)),
    metadata: { decision: "blocked", reason, ...callMetadata(by, request) },
  };
  if (server !== "") entry.server_name = server.slice(0, MAX_NAME);
  if (request.intent) entry.intent_type = request.intent.operation_type;
  if (found.length > 0) addFindings(entry, found);
  const { id } = record(app, by, entry);
  const which = { server: entry.server_name ?? "", tool: entry.tool_name ?? "" };
  publishBlocked(app, by, which, id, reason);
  if (found.length > 0) publishFindings(app, by, which, id, found);
}
