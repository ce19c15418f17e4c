import type { App } from "../app.ts";
import type { Actor } from "../schema/caller.ts";
import type { SensitiveFinding } from "../schema/sensitive-finding.ts";
import { addCallFindings, callMetadata, withRecordedArguments } from "./call-metadata.ts";
import { publishCallBlocked, publishCallFindings } from "./publish-call.ts";
import { type NewActivityRecord, recordActivity } from "./record-activity.ts";
import type { CallRequest } from "./stages/stage.ts";

/** A call that was rejected before it was sent. */
interface BlockedCall {
  /** Empty if the requested name contains no server. */
  server: string;
  tool: string;
  request: CallRequest;
  reason: string;
  detail: string;
  /** Sensitive data in the arguments, if they were searched. */
  found?: readonly SensitiveFinding[];
}

/**
 * Maximum length of a server or tool name in the record of a rejected call; existing names are shorter (characters).
 */
const MAX_NAME = 256;

/** Records a call that was rejected before anything was sent. */
export function recordBlockedCall(app: App, by: Actor, blocked: BlockedCall): void {
  withRecordedArguments(app, blocked.request.args, (recorded) => writeBlocked(app, by, blocked, recorded));
}

function writeBlocked(app: App, by: Actor, blocked: BlockedCall, recorded: unknown): void {
  const { server, tool, request, reason, detail, found = [] } = blocked;
  const entry: NewActivityRecord = {
    type: "policy_decision",
    tool_name: tool.slice(0, MAX_NAME),
    status: "blocked",
    error_message: detail,
    arguments: recorded,
    metadata: { decision: "blocked", reason, ...callMetadata(by, request) },
  };
  if (server !== "") entry.server_name = server.slice(0, MAX_NAME);
  if (request.intent) entry.intent_type = request.intent.operation_type;
  if (found.length > 0) addCallFindings(entry, found);
  const { id } = recordActivity(app, by, entry);
  const which = { server: entry.server_name ?? "", tool: entry.tool_name ?? "" };
  publishCallBlocked(app, by, which, id, reason);
  if (found.length > 0) publishCallFindings(app, by, which, id, found);
}
