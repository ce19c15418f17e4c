import { record } from "../activity/record.ts";
import type { App } from "../app.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import { maskJson } from "../redact/json.ts";
import { scrubText } from "../redact/text.ts";
import type { ActivityStatus } from "../shape/activity.ts";
import type { Actor } from "../shape/caller.ts";
import type { CallToolResult, JsonObject, Reply } from "../shape/mcp.ts";
import type { CallRequest } from "./call.ts";

/** One call as it is written down. */
export interface Outcome {
  server: string;
  tool: string;
  request: CallRequest;
  durationMs: number;
  /** The answer, or what was thrown instead. */
  reply?: Reply<CallToolResult>;
  error?: unknown;
}

/** One call that was not made. */
export interface Blocked {
  server: string;
  tool: string;
  request: CallRequest;
  reason: string;
  detail: string;
}

/** Longest arguments kept with a record (characters of JSON). */
const ARGUMENTS_MAX = 65_536;

/**
 * Unwritten records beyond which a call waits for the disk before it answers: a burst may not fill the memory.
 */
const BACKLOG_MAX = 5000;

let unwritten = 0;
let waiting: (() => Promise<void>)[] = [];

/**
 * Writes down a finished call after its answer has gone out. Answers at once, or, with too much unwritten, when the
 * record is durable.
 */
export function recordCall(app: App, by: Actor, outcome: Outcome): Promise<void> | undefined {
  unwritten++;
  // After the answer: what follows serialises and masks, and nobody should wait for it.
  if (waiting.length === 0) setImmediate(writeWaiting);
  if (unwritten <= BACKLOG_MAX) {
    waiting.push(() => write(app, by, outcome));
    return undefined;
  }
  return new Promise((done) => {
    waiting.push(() => write(app, by, outcome).finally(done));
  });
}

function writeWaiting(): void {
  const batch = waiting;
  waiting = [];
  for (const one of batch) one().then(written, written);
}

function written(): void {
  unwritten--;
}

function write(app: App, by: Actor, { server, tool, request, durationMs, reply, error }: Outcome): Promise<void> {
  const status = statusOf(reply, error);
  const max = app.config.current().activity_max_response_size;
  const { id, durable } = record(app, by, {
    type: "tool_call",
    server_name: server,
    tool_name: tool,
    status,
    duration_ms: durationMs,
    ...(error !== undefined && { error_message: scrubText(reasonOf(error)) }),
    arguments: maskJson(bounded(request.args)),
    ...(reply && response(reply.raw, max)),
    ...metadata(by, request),
  });
  app.log.catch("counting a call", app.store.usage.count(request.id, app.clock.now()));
  app.events.publish("activity.tool_call.completed", {
    server_name: server,
    tool_name: tool,
    request_id: by.origin.requestId,
    ...(by.origin.sessionId !== undefined && { session_id: by.origin.sessionId }),
    status,
    duration_ms: durationMs,
    id,
  });
  return durable;
}

/** Writes down a call that was refused before anything was sent. */
export function recordBlocked(app: App, by: Actor, { server, tool, request, reason, detail }: Blocked): void {
  const { id } = record(app, by, {
    type: "policy_decision",
    server_name: server,
    tool_name: tool,
    status: "blocked",
    error_message: detail,
    arguments: maskJson(bounded(request.args)),
    metadata: { decision: "blocked", reason, ...metadata(by, request).metadata },
  });
  app.events.publish("activity.policy_decision", {
    server_name: server,
    tool_name: tool,
    request_id: by.origin.requestId,
    reason,
    id,
  });
}

/** The beginning of an answer as it came; scrubbing every one would cost more than the call, so it is masked when shown. */
function response(raw: string, max: number): { response: string; response_truncated: boolean } {
  const cut = raw.length > max;
  return { response: cut ? raw.slice(0, max) : raw, response_truncated: cut };
}

function statusOf(reply: Reply<CallToolResult> | undefined, error: unknown): ActivityStatus {
  if (reply) return reply.result.isError === true ? "error" : "success";
  const shed = error instanceof Fault && (error.code === "queue_full" || error.code === "queue_timeout");
  return shed ? "rejected" : "error";
}

function metadata({ origin }: Actor, { variant, intent }: CallRequest): { metadata?: JsonObject } {
  const { client, clientIp } = origin;
  if (!variant && !intent && !client && clientIp === undefined) return {};
  return {
    metadata: {
      ...(variant && { tool_variant: variant }),
      ...(intent && { intent }),
      ...(client && { client_name: client.name, client_version: client.version }),
      ...(clientIp !== undefined && { client_ip: clientIp }),
    },
  };
}

/** The arguments, or the beginning of their text where they are too long to keep. */
function bounded(args: JsonObject): unknown {
  const text = JSON.stringify(args);
  if (text.length <= ARGUMENTS_MAX) return args;
  return { truncated: true, length: text.length, beginning: text.slice(0, ARGUMENTS_MAX) };
}
