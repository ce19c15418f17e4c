import { hash } from "node:crypto";
import { canonicalJson } from "../../core/base/canonical.ts";
import type { AuditDecision, SignInEvent } from "../../core/extension/audit-trail.ts";
import type { ActivityRecord } from "../../core/schema/activity.ts";
import type { Actor, Caller } from "../../core/schema/caller.ts";
import { scrubText } from "../../core/secrets/mask/text.ts";
import type { AuditBody } from "./audit.ts";

/** The audit line for one authorization decision. */
export function authz(by: Actor, decision: AuditDecision): AuditBody {
  const { surface, operation, decision: what, reason, server, tool, target, args, disclosed } = decision;
  return {
    event: "authz",
    ...from(by),
    surface,
    operation,
    decision: what,
    ...(reason !== undefined && { reason }),
    ...(server !== undefined && { server: scrubText(server) }),
    ...(tool !== undefined && { tool: scrubText(tool) }),
    ...(target !== undefined && { target: scrubText(target) }),
    ...(args !== undefined && digest(args)),
    ...(disclosed !== undefined && { disclosed }),
  };
}

/** The audit line for a sign-in or sign-out. */
export function authEvent(signIn: SignInEvent): AuditBody {
  const { surface, outcome, reason, requestId, clientIp, passkey, user } = signIn;
  return {
    event: "auth_event",
    request_id: requestId,
    origin: "tcp",
    source: "api",
    caller: user
      ? { kind: "session_user", ...personOf(user) }
      : { kind: outcome === "success" ? "api_key" : "anonymous" },
    surface,
    outcome,
    ...(passkey !== undefined && { passkey }),
    ...(reason !== undefined && { reason }),
    ...(clientIp !== undefined && { client: { ip: clientIp } }),
  };
}

/** The audit line for an activity record; undefined for records without one, or whose line is written elsewhere. */
export function entryOf(by: Actor, row: ActivityRecord): AuditBody | undefined {
  switch (row.type) {
    case "tool_call":
    case "resource_read":
    case "prompt_get":
    case "code_execution":
      return { event: "tool_call", ...from(by), ...about(row), ...outcome(row) };
    case "question":
      return { event: "question", ...from(by), ...about(row), ...questionOutcome(row) };
    case "policy_decision":
      return {
        event: "tool_call",
        ...from(by),
        ...about(row),
        outcome: "blocked",
        reason: String(row.metadata?.reason ?? "blocked"),
      };
    case "config_change":
    case "server_change":
    case "quarantine_change":
    case "tool_quarantine_change":
      return { event: "config_change", ...from(by), ...about(row), ...change(row) };
    default:
      return undefined;
  }
}

function from({ caller, origin }: Actor) {
  const { requestId, source, sessionId, parentId, client, clientIp } = origin;
  return {
    request_id: requestId,
    origin: caller.listener,
    source,
    caller: callerOf(caller),
    ...(sessionId !== undefined && { session_id: sessionId }),
    ...(parentId !== undefined && { parent_id: parentId }),
    ...(caller.scope.profile !== undefined && { profile: caller.scope.profile }),
    ...((client || clientIp !== undefined) && {
      client: { ...client, ...(clientIp !== undefined && { ip: clientIp }) },
    }),
  };
}

function callerOf({ tier, name, listener, user }: Caller) {
  const person = user && personOf(user);
  if (tier === "agent") return { kind: "agent_token", token_name: name, ...person };
  if (tier === "anonymous") return { kind: "anonymous" };
  if (user) return { kind: tier === "admin" ? "session_admin" : "session_user", shown: user.by, ...person };
  return { kind: listener === "tcp" ? "api_key" : listener === "internal" ? "internal" : "local_socket" };
}

const personOf = ({ id, email }: { id: string; email: string }) => ({
  user_id: id,
  user_email: email,
  email_hash: hash("sha256", email.toLowerCase()),
});

const about = ({ server_name, tool_name }: ActivityRecord) => ({
  ...(server_name !== undefined && { server: server_name }),
  ...(tool_name !== undefined && { tool: tool_name }),
});

function outcome({ status, duration_ms, request_bytes, response_bytes, error_message }: ActivityRecord) {
  return {
    outcome: status,
    ...(duration_ms !== undefined && { duration_ms }),
    ...(error_message !== undefined && { reason: error_message.slice(0, 500) }),
    ...(request_bytes !== undefined && { request_bytes }),
    ...(response_bytes !== undefined && { response_bytes }),
  };
}

/** The outcome of a server's question, without the text of the question. */
function questionOutcome({ status, duration_ms, metadata = {} }: ActivityRecord) {
  const { method, action, reason } = metadata;
  return {
    method,
    outcome: status,
    ...(duration_ms !== undefined && { duration_ms }),
    ...(typeof action === "string" && { action }),
    ...(typeof reason === "string" && { reason: scrubText(reason.slice(0, 500)) }),
  };
}

/** The names of the changed members, without their values. */
function change({ type, metadata = {} }: ActivityRecord) {
  const { action, fields, quarantined, affected_entity } = metadata;
  return {
    action: typeof action === "string" ? action : type,
    ...(Array.isArray(fields) && { fields }),
    ...(typeof quarantined === "boolean" && { quarantined }),
    ...(typeof affected_entity === "string" && { entity: affected_entity }),
  };
}

function digest(args: unknown) {
  const text = canonicalJson(args);
  return { args_sha256: hash("sha256", text), args_bytes: Buffer.byteLength(text) };
}
