import { part } from "../app.ts";
import { Fault, type FaultCode, reasonOf } from "../base/fault.ts";
import { isLargeJson, type JsonBeginning, largeJsonBeginning } from "../base/json-pieces.ts";
import { callInspector } from "../extension/call-inspector.ts";
import type { ActivityRecord, ActivityStatus, ActivityType } from "../schema/activity.ts";
import type { CallToolResult, Reply } from "../schema/mcp.ts";
import type { SensitiveFinding } from "../schema/sensitive-finding.ts";
import { addCallFindings, callMetadata, MAX_ARGUMENTS, recordedArguments } from "./call-metadata.ts";
import { publishCallEnded, publishCallFindings } from "./publish-call.ts";
import { type NewActivityRecord, recordActivity } from "./record-activity.ts";
import { keepCallResponse, recordedErrorText } from "./recorded-error-text.ts";
import type { GatewayCall, ItemMethod } from "./stages/stage.ts";

/**
 * The recorded error of a result with `isError`. Its text is stored only in the response, which not every reader of the
 * record may see.
 */
const TOOL_ERROR = "the tool returned an error";

/** If more records are not written yet, calls wait for the disk, so that a burst of calls does not fill the memory. */
const MAX_BACKLOG = 5000;

/** Number of finished calls whose records are not durable yet. */
interface Backlog {
  unwritten: number;
  /** Calls whose records are made after their responses are sent. */
  waiting: Waiting[];
  /** The promise of the latest transaction, and the number of records in it. */
  latest: { readonly durable: Promise<void>; count: number } | undefined;
}

interface Waiting {
  readonly call: GatewayCall;
  /** Called when the record is written; absent if nobody waits. */
  readonly done: (() => void) | undefined;
}

const unwrittenCalls = part<Backlog>("unwrittenCalls", () => ({ unwritten: 0, waiting: [], latest: undefined }));

/**
 * Records a finished call after its response is sent. Returns immediately or, if too many records are not written yet,
 * a promise that resolves when the record is durable.
 */
export function recordCall(call: GatewayCall): Promise<void> | undefined {
  const backlog = call.app.part(unwrittenCalls);
  backlog.unwritten++;
  // Serialising and masking take time, so they happen after the response is sent.
  if (backlog.waiting.length === 0) setImmediate(writeWaiting, backlog);
  if (backlog.unwritten <= MAX_BACKLOG) {
    backlog.waiting.push({ call, done: undefined });
    return undefined;
  }
  return new Promise((done) => {
    backlog.waiting.push({ call, done });
  });
}

function writeWaiting(backlog: Backlog): void {
  const batch = backlog.waiting;
  backlog.waiting = [];
  for (const { call, done } of batch) {
    const durable = write(call);
    if (done) durable.then(done, done);
    subtractWhen(durable, backlog);
  }
}

/** Subtracts the records of one transaction together, because they share a promise. */
function subtractWhen(durable: Promise<void>, backlog: Backlog): void {
  const { latest } = backlog;
  if (latest?.durable === durable) {
    latest.count++;
    return;
  }
  const group = { durable, count: 1 };
  const written = () => {
    backlog.unwritten -= group.count;
    if (backlog.latest === group) backlog.latest = undefined;
  };
  backlog.latest = group;
  durable.then(written, written);
}

// Members are set one by one here and in all code of the call path, because spreads make calls measurably slower.
function write(call: GatewayCall): Promise<void> {
  const { args, meta } = call.request;
  if (isLargeJson(args) || (meta && isLargeJson(meta))) return writeLarge(call);
  const text = JSON.stringify(args);
  const searched = meta ? JSON.stringify({ args, _meta: meta }) : text;
  return inspectAndWrite(call, { text, length: text.length, sizeBytes: Buffer.byteLength(text) }, searched);
}

/** Records a call with long arguments. Only as much of their text is made as is read. */
async function writeLarge(call: GatewayCall): Promise<void> {
  const { args, meta } = call.request;
  const most = Math.max(MAX_ARGUMENTS, call.app.part(callInspector)?.maxChars() ?? 0);
  const sent = await largeJsonBeginning(args, most);
  if (!meta || sent.length > most) return inspectAndWrite(call, sent, sent.text);
  return inspectAndWrite(call, sent, (await largeJsonBeginning({ args, _meta: meta }, most)).text);
}

/**
 * Searches a call for sensitive data and writes its record.
 *
 * @param searched the arguments, and the `_meta` of the request if it has any, as JSON
 */
function inspectAndWrite(call: GatewayCall, sent: JsonBeginning, searched: string): Promise<void> {
  const inspector = call.app.part(callInspector);
  if (!inspector) return writeEntry(call, sent, []);
  const found = inspector.finished({ sent: searched, raw: call.reply?.raw, findings: call.findings });
  return found instanceof Promise ? found.then((all) => writeEntry(call, sent, all)) : writeEntry(call, sent, found);
}

function writeEntry(call: GatewayCall, sent: JsonBeginning, found: readonly SensitiveFinding[]): Promise<void> {
  const { app, by, item, server, tool, request, durationMs, reply, error, mask, note } = call;
  const entry = emptyEntry();
  entry.type = item ? ITEM_RECORDS[item.method] : "tool_call";
  entry.server_name = server;
  entry.tool_name = tool;
  entry.status = statusOf(reply, error);
  entry.duration_ms = Math.round(durationMs);
  entry.request_bytes = sent.sizeBytes;
  entry.arguments = recordedArguments(app, request.args, sent.text, sent.length);
  if (request.intent) entry.intent_type = request.intent.operation_type;
  if (error !== undefined) entry.error_message = recordedErrorText(reasonOf(error), mask);
  else if (entry.status === "error") entry.error_message = TOOL_ERROR;
  if (reply) keepCallResponse(entry, reply.raw, app.config.current().activity_max_response_size, mask);
  const metadata = callMetadata(by, request);
  if (metadata || note) entry.metadata = note ? { ...metadata, ...note } : metadata!;
  if (found.length > 0) addCallFindings(entry, found);
  const { id, durable } = recordActivity(app, by, entry);
  if (!item && !request.taskRequest) {
    app.log.catch("counting a call", app.store.usage.count(request.id, app.clock.now()));
    publishCallEnded(app, by, call, id, entry, error);
  }
  if (found.length > 0) publishCallFindings(app, by, { server, tool: entry.tool_name ?? tool }, id, found);
  return durable;
}

/** Returns an entry with all members that a record can have: one that grows is copied by V8 several times. */
function emptyEntry(): NewActivityRecord {
  const none = undefined;
  const members: Record<keyof ActivityRecord, unknown> = {
    id: "",
    at: 0,
    type: "tool_call",
    status: "success",
    source: "mcp",
    request_id: none,
    actor: none,
    auth_type: none,
    server_name: none,
    tool_name: none,
    duration_ms: none,
    request_bytes: none,
    response_bytes: none,
    arguments: none,
    response: none,
    response_truncated: none,
    metadata: none,
    error_message: none,
    session_id: none,
    parent_id: none,
    user_id: none,
    intent_type: none,
    detection_types: none,
    max_severity: none,
  };
  // Readers treat an undefined member like an absent one.
  return members as unknown as NewActivityRecord;
}

const ITEM_RECORDS = {
  "prompts/get": "prompt_get",
  "resources/read": "resource_read",
  "completion/complete": "completion",
} as const satisfies Record<ItemMethod, ActivityType>;

function statusOf(reply: Reply<CallToolResult> | undefined, error: unknown): ActivityStatus {
  // An upstream's result may be a value other than an object.
  if (reply) return (reply.result as CallToolResult | null)?.isError === true ? "error" : "success";
  return (error instanceof Fault && STATUSES[error.code as FaultCode]) || "error";
}

/** The statuses of calls that ended with a fault of the proxy; all others have `error`. */
const STATUSES: Partial<Record<FaultCode, ActivityStatus>> = {
  // Decided again after the call had waited.
  tool_not_found: "blocked",
  tool_blocked: "blocked",
  item_not_found: "blocked",
  item_blocked: "blocked",
  permission_denied: "blocked",
  output_blocked: "blocked",
  output_unscanned: "blocked",
  queue_full: "rejected",
  queue_timeout: "rejected",
};
