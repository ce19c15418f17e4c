import { type App, part } from "../app.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import { type CallFindings, callInspector } from "../extension/call-inspector.ts";
import type { ActivityStatus } from "../schema/activity.ts";
import type { Actor } from "../schema/caller.ts";
import type { CallToolResult, JsonObject, Reply } from "../schema/mcp.ts";
import { type Finding, worst } from "../schema/sensitive-finding.ts";
import { maskJson } from "../secrets/mask/json.ts";
import { scrubText } from "../secrets/mask/text.ts";
import type { CallRequest } from "./call.ts";
import type { ArgumentsNote } from "./check-arguments.ts";
import { type ActivityEntry, record } from "./record.ts";
import { tellBlocked, tellEnded, tellFound } from "./tell.ts";

/** One call as it is written down. */
export interface Outcome {
  server: string;
  tool: string;
  request: CallRequest;
  durationMs: number;
  /** The answer, or what was thrown instead. */
  reply?: Reply<CallToolResult>;
  error?: unknown;
  /** Replaces the secrets of its server's definition; absent where no server was asked. */
  mask?: ((text: string) => string) | undefined;
  /** What it held, where that was looked at before. */
  known?: CallFindings | undefined;
  /** How its arguments fit the tool's schema, where there is something to tell. */
  note?: ArgumentsNote | undefined;
}

/** One call that was not made. */
export interface Blocked {
  /** Empty where the name called names none. */
  server: string;
  tool: string;
  request: CallRequest;
  reason: string;
  detail: string;
  /** Sensitive data in its arguments, where that was looked at. */
  found?: readonly Finding[];
}

/** Of a tool that answered `isError`. Its text is part of the answer, which not everybody who sees the record may read. */
const TOOL_ERROR = "the tool answered with an error";

/** Longest error text kept with a record (characters). */
const ERROR_MAX = 8192;

/** Read beyond a cut, so that a secret that the cut would part is still recognised (characters). */
const SPARE = 4096;

/** Longest name of a server or tool kept with a record of a refused call: names of what exists are shorter (characters). */
const MAX_NAME = 256;

/** Longest arguments kept with a record (characters of JSON). */
const ARGUMENTS_MAX = 65_536;

/**
 * Unwritten records beyond which a call waits for the disk before it answers: a burst may not fill the memory.
 */
const BACKLOG_MAX = 5000;

/** Finished calls whose records are not durable yet. */
interface Unwritten {
  count: number;
  waiting: Waiting[];
  /** Records of one transaction share their promise and are subtracted together. */
  latest: { readonly durable: Promise<void>; count: number } | undefined;
}

const unwrittenCalls = part<Unwritten>("unwrittenCalls", () => ({ count: 0, waiting: [], latest: undefined }));

interface Waiting {
  readonly by: Actor;
  readonly outcome: Outcome;
  /** Called when it is written; absent where nobody waits. */
  readonly done: (() => void) | undefined;
}

/**
 * Writes down a finished call after its answer has gone out. Answers at once, or, with too much unwritten, when the
 * record is durable.
 */
export function recordCall(app: App, by: Actor, outcome: Outcome): Promise<void> | undefined {
  const unwritten = app.part(unwrittenCalls);
  const { waiting } = unwritten;
  unwritten.count++;
  // After the answer: what follows serialises and masks, and nobody should wait for it.
  if (waiting.length === 0) setImmediate(writeWaiting, app, unwritten);
  if (unwritten.count <= BACKLOG_MAX) {
    waiting.push({ by, outcome, done: undefined });
    return undefined;
  }
  return new Promise((done) => {
    waiting.push({ by, outcome, done });
  });
}

function writeWaiting(app: App, unwritten: Unwritten): void {
  const batch = unwritten.waiting;
  unwritten.waiting = [];
  for (const { by, outcome, done } of batch) {
    const durable = write(app, by, outcome);
    if (done) durable.then(done, done);
    subtractWhen(durable, unwritten);
  }
}

function subtractWhen(durable: Promise<void>, unwritten: Unwritten): void {
  const { latest } = unwritten;
  if (latest?.durable === durable) {
    latest.count++;
    return;
  }
  const group = { durable, count: 1 };
  const written = () => {
    unwritten.count -= group.count;
    if (unwritten.latest === group) unwritten.latest = undefined;
  };
  unwritten.latest = group;
  durable.then(written, written);
}

// Members are set one by one here and on the rest of the call path: spreading what may be absent shows in its cost.
function write(app: App, by: Actor, outcome: Outcome): Promise<void> {
  const sent = JSON.stringify(outcome.request.args);
  const { args, meta } = outcome.request;
  const searched = meta ? JSON.stringify({ args, _meta: meta }) : sent;
  const found = app.part(callInspector).finished({ sent: searched, raw: outcome.reply?.raw, known: outcome.known });
  return found instanceof Promise
    ? found.then((all) => writeFound(app, by, outcome, { sent, found: all }))
    : writeFound(app, by, outcome, { sent, found });
}

function writeFound(
  app: App,
  by: Actor,
  { server, tool, request, durationMs, reply, error, mask, note }: Outcome,
  { sent, found }: { sent: string; found: readonly Finding[] },
): Promise<void> {
  const entry: ActivityEntry = {
    type: "tool_call",
    server_name: server,
    tool_name: tool,
    status: statusOf(reply, error),
    duration_ms: durationMs,
    request_bytes: Buffer.byteLength(sent),
    arguments: maskJson(bounded(request.args, sent)),
  };
  if (request.intent) entry.intent_type = request.intent.operation_type;
  if (error !== undefined) entry.error_message = errorText(reasonOf(error), mask);
  else if (entry.status === "error") entry.error_message = TOOL_ERROR;
  if (reply) keepResponse(entry, reply.raw, app.config.current().activity_max_response_size, mask);
  const metadata = metadataOf(by, request);
  if (metadata || note) entry.metadata = note ? { ...metadata, ...note } : metadata!;
  if (found.length > 0) noteFound(entry, found);
  const { id, durable } = record(app, by, entry);
  app.log.catch("counting a call", app.store.usage.count(request.id, app.clock.now()));
  tellEnded(app, by, { server, tool }, id, entry, error);
  if (found.length > 0) tellFound(app, by, { server, tool }, id, found);
  return durable;
}

/** Writes down a call that was refused before anything was sent. */
export function recordBlocked(app: App, by: Actor, blocked: Blocked): void {
  const { server, tool, request, reason, detail, found = [] } = blocked;
  const entry: ActivityEntry = {
    type: "policy_decision",
    tool_name: tool.slice(0, MAX_NAME),
    status: "blocked",
    error_message: detail,
    arguments: maskJson(bounded(request.args, JSON.stringify(request.args))),
    metadata: { decision: "blocked", reason, ...metadataOf(by, request) },
  };
  if (server !== "") entry.server_name = server.slice(0, MAX_NAME);
  if (request.intent) entry.intent_type = request.intent.operation_type;
  if (found.length > 0) noteFound(entry, found);
  const { id } = record(app, by, entry);
  const which = { server: entry.server_name ?? "", tool: entry.tool_name ?? "" };
  tellBlocked(app, by, which, id, reason);
  if (found.length > 0) tellFound(app, by, which, id, found);
}

/** What was found, without the values (reference 8.3). */
function noteFound(entry: ActivityEntry, found: readonly Finding[]): void {
  entry.metadata = { ...entry.metadata, sensitive_data_detection: { detected: true, detections: found } };
  entry.detection_types = [...new Set(found.map(({ type }) => type))];
  const severity = worst(found);
  if (severity) entry.max_severity = severity;
}

/** An upstream decides how long its errors are, and scrubbing takes time in proportion: the beginning is kept. */
function errorText(reason: string, mask: Outcome["mask"]): string {
  if (reason.length <= ERROR_MAX) return scrubText(mask ? mask(reason) : reason);
  const shown = scrubText(beginning(reason, ERROR_MAX + SPARE, mask));
  return `${shown.slice(0, -SPARE).slice(0, ERROR_MAX)}… [cut: an error of ${reason.length} characters]`;
}

/**
 * Keeps the beginning of an answer, without the secrets of its server's definition. Scrubbing every answer by shape
 * would cost more than the call; that is done when it is shown.
 */
function keepResponse(entry: ActivityEntry, raw: string, max: number, mask: Outcome["mask"]): void {
  entry.response_bytes = Buffer.byteLength(raw);
  entry.response_truncated = raw.length > max;
  entry.response = beginning(raw, max, mask);
}

/** The first characters of a text after `mask`; no part of a secret is left at the cut. */
function beginning(text: string, max: number, mask: Outcome["mask"]): string {
  const head = text.length > max + SPARE ? text.slice(0, max + SPARE) : text;
  const masked = mask ? mask(head) : head;
  if (masked === head) return text.length > max ? text.slice(0, max) : text;
  return (head.length < text.length ? masked.slice(0, -SPARE) : masked).slice(0, max);
}

function statusOf(reply: Reply<CallToolResult> | undefined, error: unknown): ActivityStatus {
  // An upstream may answer with what is no object at all.
  if (reply) return (reply.result as CallToolResult | null)?.isError === true ? "error" : "success";
  if (error instanceof Fault && (error.code === "output_blocked" || error.code === "output_unscanned"))
    return "blocked";
  const shed = error instanceof Fault && (error.code === "queue_full" || error.code === "queue_timeout");
  return shed ? "rejected" : "error";
}

function metadataOf({ origin }: Actor, { variant, intent }: CallRequest): JsonObject | undefined {
  const { client, clientIp } = origin;
  if (!variant && !intent && !client && clientIp === undefined) return undefined;
  const metadata: JsonObject = {};
  if (variant) metadata.tool_variant = variant;
  if (intent) metadata.intent = intent;
  if (client) {
    metadata.client_name = client.name;
    metadata.client_version = client.version;
  }
  if (clientIp !== undefined) metadata.client_ip = clientIp;
  return metadata;
}

/** The arguments, or the beginning of their text where they are too long to keep. */
function bounded(args: JsonObject, text: string): unknown {
  if (text.length <= ARGUMENTS_MAX) return args;
  return { truncated: true, length: text.length, beginning: text.slice(0, ARGUMENTS_MAX) };
}
