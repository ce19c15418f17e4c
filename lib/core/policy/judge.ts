import type { AnnotationPolicy } from "../schema/annotation-policy.ts";
import type { JudgedRow } from "../schema/item.ts";
import { annotationExclusion } from "./annotation-exclusion.ts";
import { explainReason } from "./explain.ts";
import { isAppOnly } from "./is-app-only.ts";
import { missingPermissions } from "./permissions.ts";
import { pinFault } from "./pin-fault.ts";
import { REASONS, type Reason } from "./reasons.ts";
import { inScope } from "./scope.ts";
import { splitToolId } from "./tool-id.ts";
import type { ItemSnapshot, PolicyQuestion, Verdict } from "./verdict.ts";

export type { ItemSnapshot, PolicyQuestion, Refusal, ToolSnapshot, Verdict } from "./verdict.ts";

const READY: Verdict = { ready: true };

/**
 * Decides whether a tool may be seen or called, or a prompt, resource or template seen or read. It has no side effects.
 * Nothing else makes this decision (spec 000 §4.3): search, describe, direct mode, call variants, code execution,
 * preflight, lists and reads, REST and the command line all use it.
 */
export function judge(snapshot: ItemSnapshot, question: PolicyQuestion): Verdict {
  const reason = firstReason(snapshot, question);
  if (!reason) return READY;
  return { ready: false, reason, retryable: REASONS[reason].retryable, ...explainReason(reason, snapshot, question) };
}

/**
 * Returns the first reason that applies, in this order: the state of the server, of the tool, its pin or the lock file,
 * the caller's permissions, the connection, the caller's filters. Permissions come before the connection so that nobody
 * waits for a server whose tool they may not call. No message is built, so a search can judge every tool.
 */
export function firstReason(snapshot: ItemSnapshot, question: PolicyQuestion): Reason | undefined {
  const { server, tool } = snapshot;
  if (!splitToolId(snapshot.id)) return "not_found";
  if (!server) return "server_not_configured";
  if (!inScope(question.scope, server.name)) return "server_not_in_scope";
  if (server.quarantined) return "server_quarantined";
  if (!server.enabled) return "server_disabled";
  // A disconnected server cannot list its tools, so the tools of its last listing remain valid until the next one.
  const unconnected = question.connection ? connectionReason(server, tool) : undefined;
  if (!tool) return unconnected ?? "not_found";
  // For models a tool that is only for apps does not exist.
  if (!question.isAppHost && isAppOnly(tool)) return "not_found";
  return (
    toolReason(snapshot, tool, server.trusted) ??
    (snapshot.violation !== undefined || (question.pin !== undefined && pinFault(question.pin, tool.hash))
      ? "hash_mismatch"
      : undefined) ??
    permissionReason(question, tool) ??
    unconnected ??
    policyReason(question.policy, tool)
  );
}

function toolReason({ denied }: ItemSnapshot, tool: JudgedRow, trusted: boolean): Reason | undefined {
  if (denied) return "tool_denied_by_config";
  if (tool.disabled) return "tool_blocked_by_user";
  if (tool.status === "changed" && tool.recorded && !trusted) return "tool_changed";
  // `trusted` replaces the approval by a person, but not the record: without a record nothing is known about the tool.
  if (!tool.recorded || (tool.status !== "approved" && !trusted)) return "tool_pending_approval";
  return undefined;
}

function permissionReason({ scope, variant }: PolicyQuestion, { annotations }: JudgedRow): Reason | undefined {
  return missingPermissions(scope, annotations, variant).length > 0 ? "permission_denied" : undefined;
}

function connectionReason(
  server: NonNullable<ItemSnapshot["server"]>,
  tool: JudgedRow | undefined,
): Reason | undefined {
  switch (server.state) {
    case "Ready":
      if (server.authRequired) return "oauth_required";
      // A tool that was listed once can be called, even if a later listing failed.
      if (tool?.present) return undefined;
      if (server.listing === "failed") return "server_unhealthy";
      return tool || server.listing === "unlisted" ? "server_initializing" : undefined;
    case "Authenticating":
      return "server_initializing";
    case "Connecting":
      return server.authRequired ? "oauth_required" : "server_initializing";
    case "Disconnected":
    case "Error":
      return server.authRequired ? "oauth_required" : "server_unhealthy";
  }
}

function policyReason(policy: AnnotationPolicy | undefined, tool: JudgedRow): Reason | undefined {
  const excluded = policy && annotationExclusion(policy, tool.annotations);
  if (!excluded) return undefined;
  return excluded.missing ? "missing_annotation" : "policy_filtered";
}
