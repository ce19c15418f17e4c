import type { App } from "../../app.ts";
import type { CallFindings, InspectedCall } from "../../extension/call-inspector.ts";
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
 * One step of a call. It reads what the stages before it wrote into the call, and adds its own.
 *
 * @throws the error for the caller; the stage has already recorded the refusal
 */
export type Stage = (call: GatewayCall) => void | Promise<void>;

export interface CallRequest extends ForwardedRequest {
  /** `server:tool`. */
  id: string;
  args: McpObject;
  /** The call variant, such as `call_tool_read`; absent in direct mode, code execution and REST. */
  variant?: CallVariant;
  intent?: CallIntent;
  /** The client shows apps (MCP Apps), whose tools may be called then. */
  isAppHost?: boolean;
  /** A request about a task of the tool, which is sent instead of a call. */
  taskRequest?: { readonly method: TaskMethod; readonly params: McpObject };
}

export type TaskMethod = "tasks/get" | "tasks/result" | "tasks/update" | "tasks/cancel";

/** The methods by which something else than a tool is used. */
export type ItemMethod = "prompts/get" | "resources/read" | "completion/complete";

/** The item that a call is about, where it is not a tool. */
interface CalledItem {
  readonly kind: ListedKind;
  readonly method: ItemMethod;
  /** As the upstream gets them. */
  readonly params: McpObject;
}

/**
 * One call of an upstream tool, or one use of another item, from its request to its record. It is mutable on purpose: each stage fills in its own
 * members, and one object with all of them costs less than a new one at each stage.
 */
export interface GatewayCall extends InspectedCall {
  readonly app: App;
  readonly by: Actor;
  readonly request: CallRequest;

  /** Absent: a tool is called. */
  item: CalledItem | undefined;

  // Written by `resolveCall`.
  server: string;
  /** Name of the tool or other item, as its server writes it. */
  tool: string;
  snapshot: ToolSnapshot | ItemSnapshot<ItemRow>;
  /** The caller connects to the server with a sign-in of their own. */
  isOwnConnection: boolean;
  /** The connection for the call: the shared one, until `acquireConnection` replaces it by the caller's own. */
  upstream: Upstream | undefined;

  /** Written by `permitCall`: the mismatches of arguments and schema, if any. */
  note: ArgumentsNote | undefined;

  /** Written by `inspectCall` and `treatReply`: sensitive data found before the record is made. */
  findings: CallFindings | undefined;

  // Written by `sendCall`; `treatReply` may replace the reply by another, or by an error.
  durationMs: number;
  /** Masks the secrets of the server's definition; absent if nothing was sent. */
  mask: ((text: string) => string) | undefined;
  reply: Reply<CallToolResult> | undefined;
  /** The error for the caller instead of a reply. */
  error: unknown;

  /** Written by `sendCall`: the questions of the reply that wait for answers. */
  asked: ReadonlyMap<string, EndQuestion> | undefined;

  /** Written by `relayQuestion`: the number of questions so far, and of those without an answer. */
  questions: { asked: number; open: number } | undefined;
}

/** A call before its first stage. */
export function openCall(app: App, by: Actor, request: CallRequest): GatewayCall {
  return {
    app,
    by,
    request,
    item: undefined,
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
  };
}
