import type { App } from "../app.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import { requestId } from "../base/id.ts";
import { call } from "../call/call.ts";
import type { Actor } from "../shape/caller.ts";
import type { JsonObject } from "../shape/mcp.ts";
import { callerStill } from "../tokens/caller-now.ts";
import { HOST, type HostCall } from "../vm/protocol.ts";

/** Most elements of one `call_tools` (spec 001 §8). */
const MAX_BATCH = 100;

export interface DispatchOptions {
  by: Actor;
  maxToolCalls: number;
  allowedServers: readonly string[];
  /** Default concurrency of `call_tools`, fixed when the execution starts. */
  maxParallel: number;
  /** A call goes out; `count` of them have by now. */
  onStart(id: string, count: number): void;
}

/** Answers a script's `call_tool` and `call_tools` with envelopes as JSON text; counts the budget. */
export function createDispatch(app: App, options: DispatchOptions) {
  let spent = 0;
  let started = 0;

  /** Undefined when the call may go out; the budget is taken then. */
  const refuse = (server: string): string | undefined => {
    const { maxToolCalls, allowedServers } = options;
    if (allowedServers.length > 0 && !allowedServers.includes(server))
      return failure("SERVER_NOT_ALLOWED", `server "${server}" is not in allowed_servers`);
    if (maxToolCalls > 0 && spent >= maxToolCalls)
      return failure("MAX_TOOL_CALLS_EXCEEDED", `the limit of ${maxToolCalls} tool calls is used up`);
    spent++;
    return undefined;
  };

  const send = async (server: string, tool: string, args: JsonObject, signal: AbortSignal): Promise<string> => {
    const id = `${server}:${tool}`;
    options.onStart(id, ++started);
    const { origin } = options.by;
    const by: Actor = {
      // What was taken from the caller since the script began is taken from the script.
      caller: callerStill(app, options.by.caller),
      origin: { ...origin, requestId: requestId(undefined), parentId: origin.requestId },
    };
    try {
      const { raw } = await call(app, by, { id, args, signal });
      return `{"ok":true,"result":${raw}}`;
    } catch (error) {
      return failure(codeOf(error), reasonOf(error));
    }
  };

  return {
    spent: () => spent,
    async answer(kind: HostCall, json: string, signal: AbortSignal): Promise<string> {
      const asked: unknown = JSON.parse(json);
      if (kind === HOST.callTool) {
        // A planted toJSON can turn the list into anything.
        const [server, tool, args] = Array.isArray(asked) ? asked : [];
        if (typeof server !== "string" || typeof tool !== "string" || !isObject(args))
          return failure("INVALID_ARGS", "call_tool: serverName and toolName must be strings, args an object");
        return refuse(server) ?? (await send(server, tool, args, signal));
      }
      const batch = readBatch(asked, options.maxParallel);
      if (typeof batch === "string") return failure("INVALID_ARGS", batch);
      // The whole batch is judged in input order before anything is sent.
      const slots = batch.requests.map(({ server }) => refuse(server));
      await inParallel(batch.maxParallel, slots.length, async (i) => {
        const { server, tool, args } = batch.requests[i]!;
        slots[i] ??= await send(server, tool, args, signal);
      });
      return `[${slots.join(",")}]`;
    },
  };
}

interface Batch {
  requests: { server: string; tool: string; args: JsonObject }[];
  maxParallel: number;
}

/** A batch, or what is wrong with it; the first offending element is named by its index (spec 001 §7 INVALID_ARGS). */
function readBatch(asked: unknown, defaultParallel: number): Batch | string {
  const [list, options] = Array.isArray(asked) ? asked : [];
  if (!Array.isArray(list)) return "call_tools: requests must be an array";
  if (list.length > MAX_BATCH)
    return `call_tools: at most ${MAX_BATCH} requests, got ${list.length}; element ${MAX_BATCH} is the first too many`;
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

/** Error codes of slots, by the fault behind them; everything else is UPSTREAM_ERROR. */
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

/** A value narrowed by `instanceof` alone has lost its code's type. */
const codeOf = (error: unknown) => (error instanceof Fault && CODES[(error as Fault).code]) || "UPSTREAM_ERROR";
const failure = (code: string, message: string) => JSON.stringify({ ok: false, error: { code, message } });
const isObject = (v: unknown): v is JsonObject => typeof v === "object" && v !== null && !Array.isArray(v);
