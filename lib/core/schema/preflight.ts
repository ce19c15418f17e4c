import * as v from "valibot";

const about = v.description;

/**
 * The reasons why a tool cannot be called, in order of precedence (spec 000 §2.6). Later versions may add reasons but
 * remove none; the reserved word `server_saturated` is never used.
 */
const REASON_CODES = [
  "server_not_configured",
  "server_not_in_scope",
  "server_quarantined",
  "server_disabled",
  "not_found",
  "tool_denied_by_config",
  "tool_blocked_by_user",
  "tool_changed",
  "tool_pending_approval",
  "hash_mismatch",
  "permission_denied",
  "oauth_required",
  "server_unhealthy",
  "server_initializing",
  "missing_annotation",
  "policy_filtered",
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

/**
 * The state of one tool as the caller may know it (spec 000 §2.6). If it is ready, the members about a failure are
 * absent.
 */
export const ToolVerdict = v.object({
  id: v.string(),
  status: v.picklist(["ready", "unavailable"]),
  hash: v.exactOptional(v.pipe(v.string(), about("hash of a ready tool; for operators"))),
  reason: v.exactOptional(v.picklist(REASON_CODES)),
  retryable: v.exactOptional(v.pipe(v.boolean(), about("whether waiting may help"))),
  action: v.exactOptional(v.pipe(v.string(), about("what to do about it"))),
  detail: v.exactOptional(v.string()),
  remediation: v.exactOptional(v.pipe(v.string(), about("remedy in words"))),
  did_you_mean: v.exactOptional(v.pipe(v.array(v.string()), about("up to 3 similar ids"))),
});
export type ToolVerdict = v.InferOutput<typeof ToolVerdict>;

/** Whether a set of tools could be called now (spec 000 §2.6, §4.3). */
export const Preflight = v.object({
  verdict: v.pipe(
    v.picklist(["ready", "degraded_retryable", "blocked", "unknown_ids"]),
    about("worst verdict of the tools"),
  ),
  checked_at: v.pipe(v.string(), about("RFC 3339")),
  waited_ms: v.exactOptional(v.pipe(v.number(), about("time waited (ms); present if the request set `wait_ms`"))),
  tools: v.array(ToolVerdict),
});
export type Preflight = v.InferOutput<typeof Preflight>;
