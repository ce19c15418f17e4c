import type { App } from "../../app.ts";
import type { CallFindings, InspectedCall } from "../../extension/call-inspector.ts";
import type { ObservedCall, TraceSpan } from "../../extension/traffic.ts";
import type { ItemSnapshot, ToolSnapshot } from "../../policy/judge.ts";
import type { ArgumentsNote } from "../../schema/arguments-note.ts";
import type { CallIntent } from "../../schema/call-intent.ts";
import type { Actor } from "../../schema/caller.ts";
import type { ItemRow, ListedKind } from "../../schema/item.ts";
import type { CallToolResult, McpObject, Reply } from "../../schema/mcp.ts";
import type { EndQuestion } from "../../schema/question-outcome.ts";
import type { CallVariant } from "../../schema/tool.ts";
import type { Upstream } from "../../upstream/upstreams.ts";
import type { ForwardedRequest } from "../forwarded-request.ts";

/**
 * One step of a call. It reads what the previous stages stored in the call, and stores its own results there.
 *
 * @throws the error for the caller; the stage has already recorded the rejection
 */
export type Stage = (call: GatewayCall) => void | Promise<void>;

export interface CallRequest extends ForwardedRequest {
  /** `server:tool`. */
  id: string;
  args: McpObject;
  /** The call variant, such as `call_tool_read`; absent in direct mode, code execution and REST. */
  variant?: CallVariant;
  intent?: CallIntent;
  /** True if the client shows apps (MCP Apps); then it may call tools that are only for apps. */
  isAppHost?: boolean;
  /** True if the call has waited for its server to connect, so that it does not wait again. */
  hasWaited?: boolean;
  /** A request about a task of the tool, which is sent instead of a call. */
  taskRequest?: { readonly method: TaskMethod; readonly params: McpObject };
}

export type TaskMethod = "tasks/get" | "tasks/result" | "tasks/update" | "tasks/cancel";

/** The methods that use an item other than a tool. */
export type ItemMethod = "prompts/get" | "resources/read" | "completion/complete";

/** The item that a call uses, if it is not a tool. */
interface CalledItem {
  readonly kind: ListedKind;
  readonly method: ItemMethod;
  /** The params that are sent to the upstream. */
  readonly params: McpObject;
}

/**
 * One call of an upstream tool, or one use of another item, from the request to its record. It is mutable: each stage
 * sets its own members, which takes less time than a new object at each stage.
 */
export interface GatewayCall extends InspectedCall, ObservedCall {
  readonly app: App;
  readonly by: Actor;
  readonly request: CallRequest;

  /** Undefined if a tool is called. */
  item: CalledItem | undefined;
  /** The method of the request to the server. */
  method: ItemMethod | TaskMethod | "tools/call";

  // Set by `resolveCall`.
  server: string;
  /** Name of the tool or other item as its server writes it. */
  tool: string;
  snapshot: ToolSnapshot | ItemSnapshot<ItemRow>;
  /** True if the caller's connection to the server is separate, with the caller's own sign-in. */
  isOwnConnection: boolean;
  /**
   * The connection for the call. `resolveCall` sets the shared one; `acquireConnection` replaces it by a separate one.
   */
  upstream: Upstream | undefined;

  /** Set by `permitCall`: the mismatches between arguments and schema, if any. */
  note: ArgumentsNote | undefined;

  /** Set by `inspectCall` and `treatReply`: the sensitive data that was found. */
  findings: CallFindings | undefined;

  // Set by `sendCall`. `treatReply` may replace the reply by another one or by an error.
  durationMs: number;
  /** Masks the secrets of the server's definition; undefined if nothing was sent. */
  mask: ((text: string) => string) | undefined;
  reply: Reply<CallToolResult> | undefined;
  /** The error that the caller gets instead of a reply. */
  error: unknown;

  /** Set by `sendCall`: the questions in the reply that wait for answers. */
  asked: ReadonlyMap<string, EndQuestion> | undefined;

  /** Set by `relayQuestion`: the number of questions so far, and of those without an answer. */
  questions: { asked: number; open: number } | undefined;

  // Set by `sendTraced`.
  span: TraceSpan | undefined;
  /** The `_meta` that is sent instead of that of the request: it contains the trace context. */
  tracedMeta: McpObject | undefined;

  /** Set by `observeCall`. */
  errorType: string | undefined;
}

/** Returns a new call for the first stage. */
export function openCall(app: App, by: Actor, request: CallRequest): GatewayCall {
  // What a client sent in HTTP headers goes to the server as `_meta`, so it is inspected like the rest of `_meta`.
  const inherited = request.observed?.span?.inherited;
  if (inherited) request.meta = { ...request.meta, ...inherited };
  return {
    app,
    by,
    request,
    item: undefined,
    method: request.taskRequest?.method ?? "tools/call",
    server: "",
    tool: request.id,
    snapshot: { id: request.id, denied: false },
    isOwnConnection: false,
    upstream: undefined,
    note: undefined,
    findings: undefined,
    durationMs: 0,
    mask: undefined,
    reply: undefined,
    error: undefined,
    asked: undefined,
    questions: undefined,
    span: undefined,
    tracedMeta: undefined,
    errorType: undefined,
  };
}
