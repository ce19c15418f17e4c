import { Fault } from "../../base/fault.ts";
import { judge, type Refusal, type Verdict } from "../../policy/judge.ts";
import { missingPermissions } from "../../policy/permissions.ts";
import type { Reason } from "../../policy/reasons.ts";
import { auditDecision } from "../audit-decision.ts";
import { callTimeoutMs } from "../call-timeout.ts";
import { CONNECTION_WAIT_MS, connectionWaits, isConnecting } from "../connection-waits.ts";
import { isSilent, itemFault } from "../item-fault.ts";
import { recordBlockedCall } from "../record-blocked-call.ts";
import { recordCall } from "../record-call.ts";
import { reviewNotice } from "../review-notice.ts";
import { suggestIds } from "../suggest-ids.ts";
import { toolSnapshot } from "../tool-snapshot.ts";
import { snapshotOf } from "./snapshot-of.ts";
import type { GatewayCall } from "./stage.ts";

/**
 * Maximum time that a call waits for a server with `reconnect_on_use` to reconnect, or for one whose process moves to
 * another replica. (ms; reference 5.3)
 */
export const RECONNECT_TIMEOUT_MS = 15_000;

/** Reasons that mean that the server is not connected. They are temporary, or a sign-in removes them. */
export const UNCONNECTED: ReadonlySet<string> = new Set<Reason>([
  "server_unhealthy",
  "server_initializing",
  "oauth_required",
]);

/**
 * Decides whether the caller may call the tool, or use another item, now. If the server connects on use, or
 * moves to another replica, it is connected first. If the server is connecting, the call waits for that.
 *
 * @throws Fault tool_not_found, tool_blocked, item_not_found, item_blocked, permission_denied, server_not_ready
 */
export function judgeCall(call: GatewayCall): void | Promise<void> {
  const verdict = verdictOn(call);
  if (!verdict.ready || !call.upstream) return connectOrRefuse(call, verdict);
}

/**
 * Decides again about a call that had to wait after `judgeCall`: meanwhile the server may have been quarantined, or the
 * tool blocked or changed. If the credential of the caller ended, the signal of the request ended the wait.
 *
 * @returns the error for the caller; undefined if the call may be sent
 */
export function judgeAgain(call: GatewayCall): Promise<Fault> | undefined {
  call.snapshot = snapshotOf(call);
  const verdict = verdictOn(call);
  if (verdict.ready) return undefined;
  auditDenied(call, verdict);
  return faultOf(call, verdict);
}

async function connectOrRefuse(call: GatewayCall, first: Verdict): Promise<void> {
  const { request, upstream } = call;
  let verdict = first;
  if (isUnconnected(verdict) && upstream && connectsOnUse(call)) {
    await upstream.ensureReady(RECONNECT_TIMEOUT_MS, request.signal);
    call.snapshot = snapshotOf(call);
    verdict = verdictOn(call);
    // Its tools are not listed before it is connected for the first time; otherwise they may have changed meanwhile.
    if (upstream.connectsOnUse || (!verdict.ready && verdict.reason === "server_initializing")) {
      await upstream.discover("it is used");
      call.snapshot = snapshotOf(call);
      verdict = verdictOn(call);
    }
    if (verdict.ready) return;
  } else if (isInitializing(verdict)) {
    verdict = await verdictAfterConnecting(call);
    if (verdict.ready) return;
  }
  throw await refusal(call, verdict);
}

/** Waits while the server is connecting or lists its tools for the first time. @returns the verdict after that */
async function verdictAfterConnecting(call: GatewayCall): Promise<Verdict> {
  const { app, server, request, item } = call;
  const judgeNow = () => {
    call.snapshot = snapshotOf(call);
    return verdictOn(call);
  };
  const isPending = () =>
    isInitializing(judgeNow()) && isConnecting(app.upstreams.get(server)?.status(), item !== undefined);
  const timeoutMs = request.hasWaited ? 0 : Math.min(CONNECTION_WAIT_MS, callTimeoutMs(app, server));
  try {
    await app.part(connectionWaits).wait({ server, isPending, timeoutMs, signal: request.signal });
  } catch (error) {
    call.error = error;
    await recordCall(call);
    throw error;
  }
  // The server may have been added again meanwhile.
  call.upstream = app.upstreams.get(server);
  return judgeNow();
}

function verdictOn({ by, request: { variant, isAppHost }, snapshot: seen, isOwnConnection }: GatewayCall): Verdict {
  // The state of the shared connection is irrelevant for a user with a separate one.
  return judge(seen, {
    scope: by.caller.scope,
    connection: !isOwnConnection,
    ...(variant && { variant }),
    ...(isAppHost && { isAppHost }),
  });
}

function isUnconnected(verdict: Verdict): boolean {
  return !verdict.ready && UNCONNECTED.has(verdict.reason);
}

function isInitializing(verdict: Verdict): boolean {
  return !verdict.ready && verdict.reason === "server_initializing";
}

function connectsOnUse({ app, server, upstream, isOwnConnection }: GatewayCall): boolean {
  if (isOwnConnection) return false;
  if (upstream?.connectsOnUse || upstream?.isMoving()) return true;
  return app.config.server(server)?.reconnect_on_use === true;
}

/** Makes the fault for a call that is rejected before it is sent, and records the call as failed or blocked. */
function refusal(call: GatewayCall, verdict: Verdict): Promise<Fault> {
  const { app, by, snapshot } = call;
  if (verdict.ready || isUnconnected(verdict)) {
    if (!verdict.ready) auditDenied(call, verdict);
    const fault = notReady(call, verdict);
    call.error = fault;
    recordCall(call);
    return Promise.resolve(fault);
  }
  auditDenied(call, verdict);
  const { reason } = verdict;
  const detail = reason === "permission_denied" ? permissionDenied(call, snapshot).message : verdict.detail;
  recordBlockedCall(app, by, { ...which(call), reason, detail });
  return faultOf(call, verdict);
}

function auditDenied(call: GatewayCall, { reason }: Refusal): void {
  auditDecision(call.app, call.by, call, reason, !isSilent(reason));
}

async function faultOf(call: GatewayCall, verdict: Refusal): Promise<Fault> {
  const { app, by, request, item, snapshot } = call;
  const { id } = request;
  if (isUnconnected(verdict)) return notReady(call, verdict);
  if (verdict.reason === "permission_denied") return permissionDenied(call, snapshot);
  if (item) return itemFault({ kind: item.kind, server: call.server, name: call.tool }, verdict);
  switch (verdict.reason) {
    case "server_not_configured":
    case "server_not_in_scope":
    case "not_found":
      // The fault is the same for all three reasons: for this caller, a tool out of scope does not exist.
      return new Fault("tool_not_found", { id, near: suggestIds(app, by.caller, id) });
    case "server_quarantined":
    case "tool_changed":
    case "tool_pending_approval":
      return new Fault("tool_blocked", {
        id,
        ...verdict,
        report: await reviewNotice(app, toolSnapshot(app, id), verdict),
      });
    default:
      return new Fault("tool_blocked", { id, ...verdict });
  }
}

function permissionDenied({ by, request }: GatewayCall, { tool }: GatewayCall["snapshot"]): Fault {
  const missing = missingPermissions(by.caller.scope, tool?.annotations, request.variant);
  return new Fault("permission_denied", { id: request.id, permission: missing.join('" and "') });
}

function notReady({ server, snapshot: seen }: GatewayCall, verdict: Verdict): Fault {
  // If the server is not connected, the detail would repeat the text of the fault.
  const isAway = verdict.ready || (verdict.reason === "server_unhealthy" && seen.server?.listing === undefined);
  const reason = isAway ? undefined : reasonText(verdict);
  const state = seen.server?.state ?? "Disconnected";
  return new Fault("server_not_ready", { server, state, ...(reason && { reason }) });
}

/** Returns the text of the reason. If only a sign-in helps, the text says how to sign in. */
function reasonText({ reason, detail, remediation }: Refusal): string {
  return reason === "oauth_required" ? `${detail}; ${remediation}` : detail;
}

const which = ({ server, tool, request }: GatewayCall) => ({ server, tool, request });
