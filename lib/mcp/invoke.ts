import * as v from "valibot";
import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { isObject } from "../base/merge.ts";
import { call } from "../call/call.ts";
import { countCall } from "../sessions/track.ts";
import type { Actor, Origin } from "../shape/caller.ts";
import { type JsonObject, type Progress, RPC, RpcError, type RpcId } from "../shape/mcp.ts";
import { directId } from "../tools/direct-id.ts";
import { faultResult, valueResult } from "./result.ts";
import { errorText, notificationText, resultText } from "./rpc.ts";
import type { Passthrough, Tool } from "./tool.ts";
import type { Turn } from "./turn.ts";

type Invoke = (turn: Turn, id: RpcId, params: JsonObject) => Promise<string | undefined>;

/** What a `tools/call` asks for beside the tool's name. */
interface Wanted {
  args: JsonObject;
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
  meta?: JsonObject;
}

/** The method `tools/call`: a built-in tool by its name, or in direct mode an upstream's tool. */
export function createInvoke(app: App, tools: readonly Tool[]): Invoke {
  const builtIn = new Map(tools.map((t) => [t.name, t]));

  /** The result's JSON text; undefined when no such tool is offered here. */
  const run = async (turn: Turn, name: string, by: Actor, wanted: Wanted): Promise<string | undefined> => {
    const tool = builtIn.get(name);
    if (
      tool?.spec.modes.includes(turn.mode) &&
      (tool.spec.offered?.({ app, caller: by.caller, mode: turn.mode }) ?? true)
    ) {
      const { caller, origin } = by;
      const input = check(tool, wanted.args);
      const done = await tool.spec.run({ app, mode: turn.mode, caller, origin, input, ...wanted });
      if (!isPassthrough(done)) return valueResult(done);
      turn.passedOn = true;
      return done.passthrough.raw;
    }
    if (turn.mode !== "direct") return undefined;
    const id = directId(app, by.caller, name);
    if (id === undefined) return undefined;
    const { raw } = await call(app, by, { id, ...wanted });
    turn.passedOn = true;
    return raw;
  };

  return async (turn, id, params) => {
    const { name, arguments: args = {}, _meta: meta } = params;
    if (typeof name !== "string") return invalidParams(id, "name must be a string");
    if (!isObject(args)) return invalidParams(id, "arguments must be an object");
    if (meta !== undefined && !isObject(meta)) return invalidParams(id, "_meta must be an object");
    const { session, abort } = turn;
    if (session) {
      session.running.set(id, abort);
      countCall(app, session);
    }
    try {
      const raw = await run(turn, name, actorOf(turn), wantedOf(turn, args, meta));
      if (abort.signal.aborted) return ended(id, abort.signal);
      if (raw === undefined) return invalidParams(id, `Unknown tool: ${name.slice(0, 200)}`);
      return resultText(id, raw);
    } catch (error) {
      if (abort.signal.aborted) return ended(id, abort.signal);
      return failure(app, turn, id, name, error);
    } finally {
      if (session?.running.get(id) === abort) session.running.delete(id);
    }
  };
}

/** A client that cancelled or left is told nothing; when it was us, it is told why. */
function ended(id: RpcId, { reason }: AbortSignal): string | undefined {
  return reason instanceof Fault ? resultText(id, faultResult(reason)) : undefined;
}

/** A refusal is a result the model can read; an upstream's own protocol error stays one, code and data kept. */
function failure(app: App, turn: Turn, id: RpcId, tool: string, error: unknown): string {
  if (error instanceof Fault) return resultText(id, faultResult(error));
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return errorText(id, { code, message, ...(data !== undefined && { data }) });
  }
  const { requestId } = turn.who;
  const stack = error instanceof Error ? error.stack : String(error);
  app.log.error(`the tool ${tool} failed inside the proxy`, { request_id: requestId, stack });
  return errorText(id, { code: RPC.internal, message: "Internal error", data: { request_id: requestId } });
}

function actorOf({ who, session }: Turn): Actor {
  const { caller, requestId, clientIp } = who;
  const origin: Writable<Origin> = { source: "mcp", requestId };
  if (clientIp !== undefined) origin.clientIp = clientIp;
  if (session) {
    origin.sessionId = session.id;
    origin.client = { name: session.record.client_name, version: session.record.client_version };
  }
  return { caller, origin };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** What is asked for; of `_meta` without its progress token, which names this connection's request. */
function wantedOf(turn: Turn, args: JsonObject, meta: JsonObject | undefined): Wanted {
  const wanted: Wanted = { args, signal: turn.abort.signal };
  if (!meta) return wanted;
  const { progressToken, ...rest } = meta;
  if (Object.keys(rest).length > 0) wanted.meta = rest;
  const { notify } = turn;
  if (notify && (typeof progressToken === "string" || typeof progressToken === "number"))
    wanted.onProgress = (progress) =>
      notify(notificationText("notifications/progress", { ...progress, progressToken }));
  return wanted;
}

function check(tool: Tool, args: JsonObject): unknown {
  const checked = v.safeParse(tool.spec.input, args);
  if (checked.success) return checked.output;
  const reasons = checked.issues.slice(0, 3).map((issue) => {
    const at = v.getDotPath(issue);
    return at ? `${at}: ${issue.message}` : issue.message;
  });
  throw new Fault("invalid_args", { reason: `${tool.name}: ${reasons.join("; ")}` });
}

function isPassthrough(value: unknown): value is Passthrough {
  return isObject(value) && "passthrough" in value;
}

function invalidParams(id: RpcId, reason: string): string {
  return errorText(id, { code: RPC.invalidParams, message: `Invalid params: ${reason}` });
}
