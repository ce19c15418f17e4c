import type { App } from "../../app.ts";
import type { CallFindings, InspectedCall } from "../../extension/call-inspector.ts";
import type { CallIntent } from "../../policy/intent.ts";
import type { ToolSnapshot } from "../../policy/judge.ts";
import type { Actor } from "../../schema/caller.ts";
import type { CallToolResult, InputContext, McpObject, Progress, Reply } from "../../schema/mcp.ts";
import type { CallVariant } from "../../schema/tool.ts";
import type { Upstream } from "../../upstream/upstreams.ts";
import type { ArgumentsNote } from "../check-arguments.ts";

/**
 * One step of a call. It reads what the stages before it wrote into the call, and adds its own.
 *
 * @throws what the caller gets instead of an answer; the stage has recorded the refusal before
 */
export type Stage = (call: GatewayCall) => void | Promise<void>;

export interface CallRequest {
  /** `server:tool`. */
  id: string;
  args: McpObject;
  /** Which call tool it came through; absent in direct mode, code execution and REST. */
  variant?: CallVariant;
  intent?: CallIntent;
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Passed on to the upstream in `_meta`. */
  meta?: McpObject;
  /** Given when the caller can be asked for more; the answer may then be a question (`resultType: input_required`). */
  asking?: InputContext;
}

/**
 * One call of an upstream tool, from its request to its record. It is mutable on purpose: each stage fills in its own
 * members, and one object with all of them costs less than a new one at each stage.
 */
export interface GatewayCall extends InspectedCall {
  readonly app: App;
  readonly by: Actor;
  readonly request: CallRequest;

  // Written by `resolve`.
  server: string;
  tool: string;
  snapshot: ToolSnapshot;
  /** The caller connects to the server with a sign-in of their own. */
  isOwnConnection: boolean;
  /** The connection that the call goes over: the shared one, until `acquire` puts the caller's own in its place. */
  upstream: Upstream | undefined;

  /** Written by `permit`: how the arguments fit the tool's schema, where there is something to report. */
  note: ArgumentsNote | undefined;

  /** Written by `inspect` and `treat`: sensitive data that was found before the record is made. */
  findings: CallFindings | undefined;

  // Written by `send`; `treat` may replace the reply by another, or by an error.
  durationMs: number;
  /** Replaces the secrets of the server's definition; absent where nothing was sent. */
  mask: ((text: string) => string) | undefined;
  reply: Reply<CallToolResult> | undefined;
  /** What the caller gets instead of a reply. */
  error: unknown;
}

/** A call before its first stage. */
export function openCall(app: App, by: Actor, request: CallRequest): GatewayCall {
  return {
    app,
    by,
    request,
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
  };
}
