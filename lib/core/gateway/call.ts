import type { App } from "../app.ts";
import { durationMs } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { type CallFindings, callInspector, type InspectedArguments } from "../extension/call-inspector.ts";
import { userConnections } from "../extension/user-connections.ts";
import { splitId } from "../policy/id.ts";
import { checkVariant, type Intent } from "../policy/intent.ts";
import { judge, type Snapshot, type Verdict } from "../policy/judge.ts";
import { missingPermissions } from "../policy/permissions.ts";
import type { Reason } from "../policy/reasons.ts";
import type { Refusal } from "../policy/verdict.ts";
import type { Actor } from "../schema/caller.ts";
import type { Asking, CallToolResult, JsonObject, Progress, Reply, ToolAnnotations } from "../schema/mcp.ts";
import type { Finding } from "../schema/sensitive-finding.ts";
import type { CallVariant, ToolRow } from "../schema/tool.ts";
import type { RequestOptions, Upstream } from "../upstream/upstreams.ts";
import { type ArgumentsNote, checkArguments } from "./check-arguments.ts";
import { decided } from "./decided.ts";
import { meantBy } from "./meant.ts";
import { type Outcome, recordBlocked, recordCall } from "./outcome.ts";
import { review } from "./review.ts";
import { snapshot } from "./snapshot.ts";
import { tellStarted } from "./tell.ts";

export interface CallRequest {
  /** `server:tool`. */
  id: string;
  args: JsonObject;
  /** Which call tool it came through; absent in direct mode, code execution and REST. */
  variant?: CallVariant;
  intent?: Intent;
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Passed on to the upstream in `_meta`. */
  meta?: JsonObject;
  /** Given when the caller can be asked for more; the answer may then be a question (`resultType: input_required`). */
  asking?: Asking;
}

const FORMAT = "an id has the form server:tool";

/** Longest wait for a server with `reconnect_on_use` to come back (ms; reference 5.3). */
const RECONNECT_MS = 15_000;

/** Longest call where the configuration holds no readable duration (ms; spec 001 §8 leaves it open). */
const CALL_TIMEOUT_MS = 120_000;

/**
 * The one way an upstream tool is called: judged, limited, sent, recorded.
 *
 * @returns the upstream's answer with its own bytes; `isError` results are answers too
 * @throws Fault tool_not_found, tool_blocked, permission_denied, destructive_mismatch, arguments_mismatch, server_not_ready, queue_full,
 *   queue_timeout, user_connect_needed, call_timeout, cancelled, upstream_failed, sensitive_arguments, output_blocked, arguments_unscanned,
 *   output_unscanned
 * @throws RpcError the upstream's own JSON-RPC error, code and data kept
 */
export async function call(app: App, by: Actor, request: CallRequest): Promise<Reply<CallToolResult>> {
  const at = splitId(request.id);
  if (!at) {
    recordBlocked(app, by, { server: "", tool: request.id, request, reason: "not_found", detail: FORMAT });
    throw new Fault("tool_not_found", { id: request.id, near: meantBy(app, by.caller, request.id) });
  }
  const attempt: Attempt = { server: at.server, tool: at.tool, request };
  let seen = look(app, by, request);
  const alone = app.part(userConnections).connectsAlone(by.caller, at.server);
  const upstream = app.upstreams.get(at.server);
  if (!alone && unconnected(seen.verdict) && upstream && connectsOnUse(app, upstream)) {
    await upstream.ensureReady(RECONNECT_MS, request.signal);
    if (upstream.onUse) await upstream.discover("it is used");
    // The tools were listed again: with other definitions another decision may be due.
    seen = look(app, by, request);
  }
  const { verdict, snapshot: known } = seen;
  if (!verdict.ready || !upstream) throw await refusal(app, by, attempt, known, verdict);
  checkIntent(app, by, attempt, known.tool?.annotations);
  attempt.note = fitting(app, by, attempt, known.tool);
  const guarded = app.part(callInspector).arguments(attempt);
  if (guarded) attempt.known = { arguments: await harmless(app, by, attempt, guarded) };
  decided(app, by, attempt);
  return send(app, by, attempt, alone ? await own(app, by, attempt) : upstream);
}

function connectsOnUse(app: App, { name, onUse }: Upstream): boolean {
  return onUse || app.config.server(name)?.reconnect_on_use === true;
}

/** A user's own connection, where the server is one that everybody signs in to themselves. */
async function own(app: App, by: Actor, attempt: Attempt): Promise<Upstream> {
  try {
    return await app.part(userConnections).connect(by.caller, attempt.server, attempt.request.signal);
  } catch (error) {
    await recordCall(app, by, { ...attempt, durationMs: 0, error });
    throw error;
  }
}

interface Attempt {
  server: string;
  tool: string;
  request: CallRequest;
  /** What its arguments hold, where that was looked at before. */
  known?: CallFindings;
  /** How its arguments fit the tool's schema, where there is something to tell. */
  note?: ArgumentsNote | undefined;
}

interface Look {
  snapshot: Snapshot;
  verdict: Verdict;
}

function look(app: App, by: Actor, { id, variant }: CallRequest): Look {
  const seen = snapshot(app, id);
  // How the shared connection is says nothing about a user's own.
  const connection = seen.server === undefined || !app.part(userConnections).connectsAlone(by.caller, seen.server.name);
  return { snapshot: seen, verdict: judge(seen, { scope: by.caller.scope, connection, ...(variant && { variant }) }) };
}

const CONNECTION: ReadonlySet<string> = new Set<Reason>(["server_unhealthy", "server_initializing", "oauth_required"]);

function unconnected(verdict: Verdict): boolean {
  return !verdict.ready && CONNECTION.has(verdict.reason);
}

/** Reasons that are told as one: what is out of scope does not exist for this caller. */
const SILENT: ReadonlySet<string> = new Set<Reason>(["server_not_configured", "server_not_in_scope", "not_found"]);

/** The one network trip, and its record. */
async function send(app: App, by: Actor, attempt: Attempt, upstream: Upstream): Promise<Reply<CallToolResult>> {
  const { server, tool, request } = attempt;
  const { args, signal, onProgress, meta, asking } = request;
  const inspector = app.part(callInspector);
  tellStarted(app, by, attempt);
  const params: JsonObject = { name: tool, arguments: args };
  if (meta) params._meta = meta;
  const options: RequestOptions = { timeoutMs: timeoutOf(app, server), signal };
  if (onProgress) options.onProgress = (progress) => onProgress(inspector.progress(attempt, progress));
  if (asking) options.asking = asking;
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  let reply: Reply<CallToolResult>;
  try {
    // The result of tools/call is what this type describes; its members pass through unread.
    reply = (await upstream.request("tools/call", params, options)) as Reply<CallToolResult>;
  } catch (thrown) {
    const durationMs = took();
    const error = await inspector.error(attempt, thrown);
    await recordCall(app, by, { ...attempt, durationMs, error, mask: upstream.mask });
    throw error;
  }
  const durationMs = took();
  const guarded = inspector.reply(attempt, reply);
  const answer = guarded instanceof Promise ? await guarded : guarded;
  const known = answer.known || attempt.known ? { ...attempt.known, ...answer.known } : undefined;
  const outcome: Outcome = { server, tool, request, durationMs, known, note: attempt.note, mask: upstream.mask };
  // An answer that was withheld is not kept either.
  if (answer.fault) outcome.error = answer.fault;
  else outcome.reply = answer.reply;
  const backlog = recordCall(app, by, outcome);
  if (backlog) await backlog;
  if (answer.fault) throw answer.fault;
  return answer.reply;
}

/** @throws Fault sensitive_arguments, arguments_unscanned, after it was written down */
async function harmless(
  app: App,
  by: Actor,
  attempt: Attempt,
  guarded: Promise<InspectedArguments>,
): Promise<readonly Finding[]> {
  const { found, fault } = await guarded;
  if (!fault) return found;
  decided(app, by, attempt, fault.code);
  recordBlocked(app, by, { ...attempt, reason: fault.code, detail: fault.message, found });
  throw fault;
}

/** Compares the arguments with the tool's schema. @throws Fault arguments_mismatch, after it was written down */
function fitting(app: App, by: Actor, attempt: Attempt, tool: ToolRow | undefined): ArgumentsNote | undefined {
  const server = app.config.server(attempt.server);
  if (!tool || !server) return undefined;
  const checked = checkArguments(app, server, tool, attempt.request.args);
  if (!checked?.fault) return checked?.note;
  const { code: reason, message: detail } = checked.fault;
  decided(app, by, attempt, reason);
  recordBlocked(app, by, { ...attempt, reason, detail });
  throw checked.fault;
}

/** Refuses a call variant that is milder than what the tool's server declares. @throws Fault destructive_mismatch */
function checkIntent(app: App, by: Actor, attempt: Attempt, annotations: ToolAnnotations | undefined): void {
  const { id, variant } = attempt.request;
  if (!variant) return;
  const strict = app.config.current().intent_declaration.strict_server_validation;
  try {
    checkVariant(id, variant, annotations, strict);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { code: reason, message: detail } = error as Fault;
    decided(app, by, attempt, reason);
    recordBlocked(app, by, { ...attempt, reason, detail });
    throw error;
  }
}

/** The fault for a verdict, written down as what it is: an error, or a blocked call. */
async function refusal(app: App, by: Actor, attempt: Attempt, seen: Snapshot, verdict: Verdict): Promise<Fault> {
  const { id } = attempt.request;
  if (!verdict.ready) decided(app, by, attempt, verdict.reason, !SILENT.has(verdict.reason));
  if (verdict.ready || unconnected(verdict)) {
    // For a server that is not connected the detail says no more than the fault itself does.
    const away = verdict.ready || (verdict.reason === "server_unhealthy" && seen.server?.listing === undefined);
    const reason = away ? undefined : reasonIn(verdict);
    const state = seen.server?.state ?? "Disconnected";
    const fault = new Fault("server_not_ready", { server: attempt.server, state, ...(reason && { reason }) });
    recordCall(app, by, { ...attempt, durationMs: 0, error: fault });
    return fault;
  }
  switch (verdict.reason) {
    case "server_not_configured":
    case "server_not_in_scope":
    case "not_found":
      recordBlocked(app, by, { ...attempt, ...verdict });
      // One text for all three: what is out of scope does not exist for this caller.
      return new Fault("tool_not_found", { id, near: meantBy(app, by.caller, id) });
    case "permission_denied": {
      const missing = missingPermissions(by.caller.scope, seen.tool?.annotations, attempt.request.variant);
      const fault = new Fault("permission_denied", { id, permission: missing.join('" and "') });
      recordBlocked(app, by, { ...attempt, reason: verdict.reason, detail: fault.message });
      return fault;
    }
    case "server_quarantined":
    case "tool_changed":
    case "tool_pending_approval":
      recordBlocked(app, by, { ...attempt, ...verdict });
      return new Fault("tool_blocked", { id, ...verdict, report: await review(app, seen, verdict) });
    default:
      recordBlocked(app, by, { ...attempt, ...verdict });
      return new Fault("tool_blocked", { id, ...verdict });
  }
}

/** Only a person can help who signs in, so how is part of the reason. */
function reasonIn({ reason, detail, remediation }: Refusal): string {
  return reason === "oauth_required" ? `${detail}; ${remediation}` : detail;
}

function timeoutOf(app: App, server: string): number {
  const text = app.config.server(server)?.call_tool_timeout ?? app.config.current().call_tool_timeout;
  let ms = timeouts.get(text);
  if (ms === undefined) {
    ms = durationMs(text) || CALL_TIMEOUT_MS;
    if (timeouts.size < 100) timeouts.set(text, ms);
  }
  return ms;
}

/** Durations already read: there are few, and each call needs one. */
const timeouts = new Map<string, number>();
