import { record } from "../activity/record.ts";
import type { App } from "../app.ts";
import { rfc3339 } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import type { Policy, Refusal, Verdict } from "../gate/judge.ts";
import { judge } from "../gate/judge.ts";
import { type SetVerdict, setVerdict } from "../gate/reasons.ts";
import { disclose } from "../gate/visible.ts";
import type { Actor, Caller } from "../shape/caller.ts";
import { near } from "./near.ts";
import { snapshot } from "./snapshot.ts";

/** The state of one tool as a caller may know it (spec 000 §2.6). */
export interface PreflightResult {
  id: string;
  status: "ready" | "unavailable";
  hash?: string;
  reason?: Refusal["reason"];
  retryable?: boolean;
  action?: string;
  detail?: string;
  remediation?: string;
  did_you_mean?: string[];
}

export interface Preflight {
  verdict: SetVerdict;
  checked_at: string;
  request_id: string;
  results: PreflightResult[];
}

/**
 * Says of each tool whether it could be called now, from what is known locally: no upstream is asked and nothing moves.
 * One record is durable before the answer (spec 000 §2.8, §4.3).
 *
 * @param ids in the order of the answer; doubles are asked once
 * @param tier how much may be told; the in-band check tells everybody as much as an agent
 * @throws Fault check_unavailable when it cannot be written down
 */
export async function preflight(
  app: App,
  by: Actor,
  { ids, policy, tier }: { ids: readonly string[]; policy?: Policy; tier: Caller["tier"] },
): Promise<Preflight> {
  const unique = [...new Set(ids.map((id) => id.trim()))];
  const similar = near(app, by.caller);
  const results = unique.map((id) => {
    const question = { scope: by.caller.scope, connection: true, ...(policy && { policy }) };
    return result(id, disclose(judge(snapshot(app, id), question), { tier }), similar);
  });
  const verdict = setVerdict(results.map((r) => r.reason));
  const { durable } = record(app, by, {
    type: "preflight",
    status: "success",
    metadata: {
      verdict,
      ids_count: unique.length,
      reasons: [...new Set(results.flatMap((r) => r.reason ?? []))],
      per_tool: results.map((r) => ({ id: r.id.slice(0, ID_KEPT), reason: r.reason ?? "ready" })),
      surface: by.origin.source,
    },
  });
  await durable.catch((cause: unknown) => {
    throw new Fault("check_unavailable", undefined, { cause });
  });
  return { verdict, checked_at: rfc3339(app.clock.now()), request_id: by.origin.requestId, results };
}

/** Longest id written down (characters). */
const ID_KEPT = 512;

function result(id: string, verdict: Verdict, similar: (id: string) => string[]): PreflightResult {
  if (verdict.ready) return { id, status: "ready" };
  const { reason, retryable, action, detail, remediation } = verdict;
  const meant = reason === "not_found" || reason === "server_not_configured" ? similar(id) : [];
  return {
    id,
    status: "unavailable",
    reason,
    retryable,
    ...(action && { action }),
    detail,
    remediation,
    ...(meant.length > 0 && { did_you_mean: meant }),
  };
}
