import type { HealthAction } from "../schema/connection-status.ts";
import { ITEM_WORDS, type ItemKind } from "../schema/item.ts";
import type { Preflight, ReasonCode } from "../schema/preflight.ts";

/** The verdict of a set of tools: the worst class of its members (spec 000 §2.6 rule 3). */
export type SetVerdict = Preflight["verdict"];

interface Row {
  readonly retryable: boolean;
  /** The default remedy; results omit an empty one. For `server_unhealthy` the diagnostics of the server replace it. */
  readonly action: HealthAction;
  readonly verdict: Exclude<SetVerdict, "ready">;
  /** Exit code of the command line if this is the worst reason. */
  readonly exit: 10 | 11 | 12;
  /** Says what to do. `server` and `id` are already quoted for a shell. Without a kind it speaks of a tool. */
  readonly remediation: (server: string, id: string, kind?: ItemKind) => string;
}

/** All reasons, in order of precedence. */
export const REASONS = {
  server_not_configured: unknown((s) => `add the server with: proxy upstream add ${s}`),
  server_not_in_scope: blocked("configure", (s) => `add server ${s} to the profile in the configuration`),
  server_quarantined: blocked(
    "approve",
    (s) => `review the server, then release it with: proxy upstream unquarantine ${s}`,
  ),
  server_disabled: blocked("enable", (s) => `enable the server with: proxy upstream enable ${s}`),
  not_found: unknown((_, __, kind = "tool") =>
    kind === "tool"
      ? "check the id; find tools with retrieve_tools or: proxy tools search"
      : `check the name; list what there is with: proxy ${ITEM_WORDS[kind].command} list`,
  ),
  tool_denied_by_config: blocked(
    "configure",
    (s) => `change enabled_tools or disabled_tools of server ${s} in the configuration`,
  ),
  tool_blocked_by_user: blocked("enable", (_, id, kind) => `lift the block with: ${command(kind)} approve ${id}`),
  tool_changed: blocked(
    "approve",
    (s, id, kind) => `${compare(s, id, kind)}; then approve it with: ${command(kind)} approve ${id}`,
  ),
  tool_pending_approval: blocked(
    "approve",
    (_, id, kind = "tool") => `approve the ${ITEM_WORDS[kind].noun} with: ${command(kind)} approve ${id}`,
  ),
  hash_mismatch: blocked("configure", (s, id, kind) => `${compare(s, id, kind)}; then pin the current hash`),
  permission_denied: blocked(
    "configure",
    () => "use an agent token with that permission; an administrator creates one with: proxy token create",
  ),
  oauth_required: blocked("login", (s) => `sign in to the server with: proxy upstream login ${s}`),
  server_unhealthy: degraded("view_logs", (s) => `see the cause with: proxy upstream logs ${s}`),
  server_initializing: degraded("", (s) => `server ${s} is still starting; try again in a moment`),
  missing_annotation: blocked(
    "configure",
    () => "relax the filters, or have the server declare its tools' annotations",
  ),
  policy_filtered: blocked("", () => "repeat the request without the filter that excludes the tool"),
} as const satisfies Record<ReasonCode, Row>;

export type Reason = ReasonCode;

const WORST: readonly SetVerdict[] = ["ready", "degraded_retryable", "blocked", "unknown_ids"];

/** Returns the verdict of a set of results. `undefined` is the result of a ready tool. An empty set is ready. */
export function setVerdict(reasons: Iterable<Reason | undefined>): SetVerdict {
  let worst = 0;
  for (const reason of reasons) if (reason) worst = Math.max(worst, WORST.indexOf(REASONS[reason].verdict));
  return WORST[worst]!;
}

function command(kind: ItemKind = "tool"): string {
  return `proxy ${ITEM_WORDS[kind].command}`;
}

function compare(server: string, id: string, kind: ItemKind = "tool"): string {
  return kind === "tool"
    ? `compare with: ${command(kind)} diff ${id}`
    : `review it with: ${command(kind)} list -s ${server}`;
}

function blocked(action: HealthAction, remediation: Row["remediation"]): Row {
  return { retryable: false, action, verdict: "blocked", exit: 11, remediation };
}

function degraded(action: HealthAction, remediation: Row["remediation"]): Row {
  return { retryable: true, action, verdict: "degraded_retryable", exit: 10, remediation };
}

function unknown(remediation: Row["remediation"]): Row {
  return { retryable: false, action: "configure", verdict: "unknown_ids", exit: 12, remediation };
}
