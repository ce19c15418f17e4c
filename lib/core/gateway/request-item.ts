import { type App, part } from "../app.ts";
import type { Actor } from "../schema/caller.ts";
import type { ListedKind } from "../schema/item.ts";
import type { McpObject, Reply } from "../schema/mcp.ts";
import { runStages } from "./call.ts";
import { type ForwardedRequest, withForwarded } from "./forwarded-request.ts";
import { pipeline } from "./pipeline.ts";
import { recordCall } from "./record-call.ts";
import { resolveItem } from "./stages/resolve-item.ts";
import { type CallRequest, type GatewayCall, type ItemMethod, openCall, type Stage } from "./stages/stage.ts";

/** A request about a prompt, a resource or a resource template. */
export interface ItemRequest extends Omit<ForwardedRequest, "task"> {
  readonly kind: ListedKind;
  readonly server: string;
  /** The name of a prompt, the URI of a resource, or the URI template of a template, as the server writes it. */
  readonly name: string;
  readonly method: ItemMethod;
  /** The params that are sent to the server. */
  readonly params: McpObject;
}

/**
 * Requests a prompt, a resource or a completion. All such requests go through this function, with the stages of a call
 * (`pipeline.ts`) except those for tools only.
 *
 * @returns the upstream's response with its original bytes
 * @throws Fault item_not_found, item_blocked, permission_denied, server_not_ready, user_connect_needed, call_timeout,
 *   cancelled, upstream_failed, sensitive_arguments, output_blocked, arguments_unscanned, output_unscanned
 * @throws RpcError the upstream's JSON-RPC error with its code and data
 */
export async function requestItem(app: App, by: Actor, request: ItemRequest): Promise<Reply<McpObject>> {
  const { kind, server, name, method, params, signal } = request;
  // The record of a read contains the URI already.
  const args = method === "resources/read" ? {} : argumentsIn(params);
  const call: CallRequest = { id: `${server}:${name}`, args, signal };
  const opened = openCall(app, by, withForwarded(request, call));
  opened.server = server;
  opened.tool = name;
  opened.item = { kind, method, params };
  opened.method = method;
  return runStages(app.part(itemPipeline), opened);
}

const itemPipeline = part<readonly Stage[]>("itemPipeline", (app) =>
  pipeline(app, { resolve: resolveItem, record: recordItem }),
);

/**
 * Records the request. A completion is requested at each key that a person presses, so only failed ones are recorded.
 */
function recordItem(call: GatewayCall): Promise<void> | undefined {
  const isCompleted = call.item?.method === "completion/complete" && call.error === undefined;
  return isCompleted ? undefined : recordCall(call);
}

/** Returns what the caller chose: the arguments of a prompt, or the argument to complete. */
function argumentsIn({ arguments: args, argument, context }: McpObject): McpObject {
  if (argument !== undefined) return { argument, ...(context !== undefined && { context }) };
  // The endpoint that received the request has checked the type.
  return (args ?? {}) as McpObject;
}
