import { type App, part } from "../app.ts";
import { auditTrail } from "../extension/audit-trail.ts";
import { callInspector } from "../extension/call-inspector.ts";
import type { Actor } from "../schema/caller.ts";
import type { ListedKind } from "../schema/item.ts";
import type { LogReceiver } from "../schema/log-message.ts";
import type { InputContext, McpObject, Progress, Reply } from "../schema/mcp.ts";
import type { UpstreamQuestion } from "../upstream/protocol/upstream-question.ts";
import { recordCall } from "./record-call.ts";
import { acquireConnection } from "./stages/acquire.ts";
import { auditAllowed } from "./stages/audit-allowed.ts";
import { inspectCall } from "./stages/inspect.ts";
import { judgeCall } from "./stages/judge.ts";
import { resolveItem } from "./stages/resolve-item.ts";
import { sendCall } from "./stages/send.ts";
import { type GatewayCall, type ItemMethod, openCall, type Stage } from "./stages/stage.ts";
import { treatReply } from "./stages/treat.ts";

/** A request about a prompt, a resource or a resource template. */
export interface ItemRequest {
  readonly kind: ListedKind;
  readonly server: string;
  /** A prompt's name, a resource's URI, a template's URI template, as the server writes it. */
  readonly name: string;
  readonly method: ItemMethod;
  /** As the server gets them. */
  readonly params: McpObject;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Given when the caller takes log messages of the request. */
  readonly logs?: LogReceiver;
  readonly meta?: McpObject;
  readonly asking?: InputContext;
  /** Given when the caller can be asked while the request is under way. */
  readonly ask?: (question: UpstreamQuestion) => void;
  readonly completed?: (elicitationId: string) => void;
}

/**
 * The one way a prompt, a resource or a completion is asked for: the life of a call (`pipeline.ts`) without what is about
 * tools alone.
 *
 * @returns the upstream's answer with its own bytes
 * @throws Fault item_not_found, item_blocked, permission_denied, server_not_ready, user_connect_needed, call_timeout, cancelled,
 *   upstream_failed, sensitive_arguments, output_blocked, arguments_unscanned, output_unscanned
 * @throws RpcError the upstream's own JSON-RPC error, code and data kept
 */
export async function requestItem(app: App, by: Actor, request: ItemRequest): Promise<Reply<McpObject>> {
  const { kind, server, name, method, params, signal, onProgress, logs, meta, asking, ask, completed } = request;
  const opened = openCall(app, by, {
    id: `${server}:${name}`,
    // Of a read the record has the URI already.
    args: method === "resources/read" ? {} : argumentsIn(params),
    signal,
    ...(onProgress && { onProgress }),
    ...(logs && { logs }),
    ...(meta && { meta }),
    ...(asking && { asking }),
    ...(ask && { ask }),
    ...(completed && { completed }),
  });
  opened.server = server;
  opened.tool = name;
  opened.item = { kind, method, params };
  for (const stage of app.part(itemPipeline)) {
    const pending = stage(opened);
    if (pending) await pending;
  }
  if (!opened.reply) throw opened.error;
  return opened.reply;
}

const itemPipeline = part<readonly Stage[]>("itemPipeline", (app) => {
  const isAudited = app.part(auditTrail).isKept;
  const isInspected = app.part(callInspector) !== undefined;
  return [
    resolveItem,
    judgeCall,
    ...(isInspected ? [inspectCall] : []),
    ...(isAudited ? [auditAllowed] : []),
    acquireConnection,
    sendCall,
    ...(isInspected ? [treatReply] : []),
    recordItem,
  ];
});

/** Completions come with each key that a person presses, so only those that fail are recorded. */
function recordItem(call: GatewayCall): Promise<void> | undefined {
  const isCompleted = call.item?.method === "completion/complete" && call.error === undefined;
  return isCompleted ? undefined : recordCall(call);
}

/** What the caller chose: the arguments of a prompt, or what is to be completed. */
function argumentsIn({ arguments: args, argument, context }: McpObject): McpObject {
  if (argument !== undefined) return { argument, ...(context !== undefined && { context }) };
  // Checked where the request came in.
  return (args ?? {}) as McpObject;
}
