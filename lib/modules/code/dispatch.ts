import type { App } from "../../core/app.ts";
import { Fault, reasonOf } from "../../core/base/fault.ts";
import { requestId } from "../../core/base/id.ts";
import type { TraceSpan } from "../../core/extension/traffic.ts";
import { type CallRequest, callUpstreamTool } from "../../core/gateway/call.ts";
import { askInRounds } from "../../core/mcp/ask-in-rounds.ts";
import type { Actor } from "../../core/schema/caller.ts";
import type { LogReceiver } from "../../core/schema/log-message.ts";
import { type CallToolResult, type InputContext, type McpObject, type Reply, RpcError } from "../../core/schema/mcp.ts";
import type { UpstreamQuestion } from "../../core/upstream/protocol/upstream-question.ts";
import { currentRequestCaller } from "../../core/verbs/tokens/current-caller.ts";
import { HOST, type HostCall } from "./sandbox/protocol.ts";
import type { CallLimits } from "./sandbox/vm.ts";

/** Most elements of one `call_tools` (spec 001 §8). */
const MAX_BATCH = 100;

/** The client for which a script runs, if it can answer questions. */
export interface ScriptClient {
  readonly capabilities: McpObject;
  ask(question: UpstreamQuestion): void;
  readonly completed?: (elicitationId: string) => void;
}

interface DispatchOptions {
  by: Actor;
  maxToolCalls: number;
  allowedServers: readonly string[];
  /** Default concurrency of `call_tools`, fixed when the execution starts. */
  maxParallel: number;
  /** Answers the questions of the called tools; without it, they are cancelled. */
  client?: ScriptClient | undefined;
  /** Where log messages of the called servers go. */
  logs?: LogReceiver | undefined;
  /** The span of the request that runs the script; its calls become parts of it. */
  span?: TraceSpan | undefined;
  /** Called before each call is sent; `count` is the number of calls so far. */
  onStart(id: string, count: number): void;
}

/** Answers a script's `call_tool` and `call_tools` with envelopes as JSON text; counts the budget. */
export function createDispatch(app: App, options: DispatchOptions) {
  let spent = 0;
  let started = 0;

  /**
   * Checks whether a call may be sent, and takes it from the budget. Each call costs one unit, also one that is refused
   * (spec 001 §8: "each element costs one unit of `max_tool_calls`"); only invalid arguments cost nothing (§7).
   *
   * @returns the envelope of the refusal, or undefined
   */
  const refuse = (server: string): string | undefined => {
    const { maxToolCalls, allowedServers } = options;
    if (maxToolCalls > 0 && spent >= maxToolCalls)
      return failure("MAX_TOOL_CALLS_EXCEEDED", `the maximum of ${maxToolCalls} tool calls is reached`);
    spent++;
    if (allowedServers.length > 0 && !allowedServers.includes(server))
      return failure("SERVER_NOT_ALLOWED", `server "${server}" is not in allowed_servers`);
    return undefined;
  };

  const send = async ({ server, tool, args }: Request, room: Room, signal: AbortSignal): Promise<string> => {
    const id = `${server}:${tool}`;
    options.onStart(id, ++started);
    const { span } = options;
    const { origin } = options.by;
    const by: Actor = {
      // Permissions that the caller lost since the script began no longer apply to the script either.
      caller: currentRequestCaller(app, options.by.caller),
      origin: { ...origin, requestId: requestId(undefined), parentId: origin.requestId },
    };
    try {
      const { raw } = await answered(options.client, { app, server, signal }, (more) =>
        callUpstreamTool(app, by, {
          id,
          args,
          signal,
          ...(options.logs && { logs: options.logs }),
          // Only the span is shared: the durations of calls at the same time are not those of the request.
          ...(span && { observed: { span } }),
          ...more,
        }),
      );
      const size = Buffer.byteLength(raw) + ENVELOPE_BYTES;
      if (size > room.left) return failure("RESULT_TOO_LARGE", tooLarge(id, size, room));
      room.left -= size;
      return `{"ok":true,"result":${raw}}`;
    } catch (error) {
      return failed(error);
    }
  };

  return {
    spent: () => spent,
    async answer(kind: HostCall, json: string, limits: CallLimits): Promise<string> {
      const request: unknown = JSON.parse(json);
      const { signal } = limits;
      const room: Room = { left: limits.room, whole: limits.room };
      if (kind === HOST.callTool) {
        // The script can have replaced the list with any value, by a toJSON of its own.
        const [server, tool, args] = Array.isArray(request) ? request : [];
        if (typeof server !== "string" || typeof tool !== "string" || !isObject(args))
          return failure("INVALID_ARGS", "call_tool: serverName and toolName must be strings, args an object");
        return refuse(server) ?? (await send({ server, tool, args }, room, signal));
      }
      const batch = readBatch(request, options.maxParallel);
      if (typeof batch === "string") return failure("INVALID_ARGS", batch);
      // All calls of the batch are checked in input order before the first is sent.
      const slots = batch.requests.map(({ server }) => refuse(server));
      await inParallel(batch.maxParallel, slots.length, async (i) => {
        slots[i] ??= await send(batch.requests[i]!, room, signal);
      });
      return `[${slots.join(",")}]`;
    },
  };
}

/** Calls a tool for a script and answers the tool's questions through the script's client. */
function answered(
  client: ScriptClient | undefined,
  { app, server, signal: callerSignal }: { app: App; server: string; signal: AbortSignal },
  call: (more: Partial<CallRequest>) => Promise<Reply<CallToolResult>>,
): Promise<Reply<CallToolResult>> {
  if (!client) return call({});
  const { ask, completed } = client;
  const over = new AbortController();
  const signal = AbortSignal.any([callerSignal, over.signal]);
  const end = (fault: Fault) => over.abort(fault);
  const attempt = (asking: InputContext) => call({ asking, ask, end, signal, ...(completed && { completed }) });
  return askInRounds({ ...client, app, signal }, attempt, ({ result }) => ({ server, result }));
}

/** Memory that the script has for all results of one host call (bytes of UTF-8). */
interface Room {
  readonly whole: number;
  left: number;
}

/** Maximum size of the envelope around a result (bytes). */
const ENVELOPE_BYTES = 32;

function tooLarge(id: string, size: number, { left, whole }: Room): string {
  if (left === whole)
    return `the result of ${id} has ${size} bytes, but the script has memory for ${whole}; request less from the tool`;
  return `the result of ${id} has ${size} bytes, and the results of this call_tools exceed the ${whole} that the script has memory for; make fewer calls at once`;
}

interface Request {
  server: string;
  tool: string;
  args: McpObject;
}

interface Batch {
  requests: Request[];
  maxParallel: number;
}

/**
 * Validates the argument of `call_tools`.
 *
 * @returns the batch, or a message that names the first invalid element by its index (spec 001 §7 INVALID_ARGS)
 */
function readBatch(request: unknown, defaultParallel: number): Batch | string {
  const [list, options] = Array.isArray(request) ? request : [];
  if (!Array.isArray(list)) return "call_tools: requests must be an array";
  if (list.length > MAX_BATCH)
    return `call_tools: at most ${MAX_BATCH} requests, got ${list.length}; element ${MAX_BATCH} exceeds the limit`;
  const requests: Batch["requests"] = [];
  for (const [i, element] of list.entries()) {
    if (!isObject(element)) return `call_tools: element ${i} must be an object { server, tool, args }`;
    const { server, tool, args } = element;
    if (typeof server !== "string" || server === "")
      return `call_tools: element ${i} needs a non-empty string "server"`;
    if (typeof tool !== "string" || tool === "") return `call_tools: element ${i} needs a non-empty string "tool"`;
    if (args !== undefined && !isObject(args)) return `call_tools: element ${i} has args that are not an object`;
    requests.push({ server, tool, args: args ?? {} });
  }
  if (!isObject(options)) return "call_tools: options must be an object";
  const { max_parallel: maxParallel } = options;
  if (maxParallel === undefined) return { requests, maxParallel: defaultParallel };
  if (typeof maxParallel !== "number" || !Number.isInteger(maxParallel) || maxParallel < 1 || maxParallel > 32)
    return "call_tools: max_parallel must be a whole number from 1 to 32";
  return { requests, maxParallel };
}

async function inParallel(width: number, count: number, task: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await task(next++);
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
}

/** The error codes in an envelope, by fault code; every other fault is UPSTREAM_ERROR. */
const CODES: Partial<Record<Fault["code"], string>> = {
  arguments_mismatch: "ARGUMENTS_MISMATCH",
  arguments_unscanned: "TOOL_BLOCKED",
  call_timeout: "UPSTREAM_TIMEOUT",
  cancelled: "CANCELLED",
  output_blocked: "TOOL_BLOCKED",
  output_unscanned: "TOOL_BLOCKED",
  permission_denied: "PERMISSION_DENIED",
  queue_full: "queue_full",
  queue_timeout: "queue_timeout",
  sensitive_arguments: "TOOL_BLOCKED",
  server_not_found: "TOOL_NOT_FOUND",
  server_not_ready: "SERVER_NOT_READY",
  tool_blocked: "TOOL_BLOCKED",
  tool_not_found: "TOOL_NOT_FOUND",
};

/** The cast restores the type of `code`, which `instanceof` does not narrow. */
const codeOf = (error: unknown) => (error instanceof Fault && CODES[(error as Fault).code]) || "UPSTREAM_ERROR";
const failure = (code: string, message: string, more?: object) =>
  JSON.stringify({ ok: false, error: { code, message, ...more } });

/** The envelope of a failed call. The code and data of an upstream's own error are kept beside the proxy's code. */
function failed(error: unknown): string {
  if (!(error instanceof RpcError)) return failure(codeOf(error), reasonOf(error));
  const { code, message, data } = error;
  return failure("UPSTREAM_ERROR", message, { rpc_code: code, ...(data !== undefined && { data }) });
}
const isObject = (v: unknown): v is McpObject => typeof v === "object" && v !== null && !Array.isArray(v);
