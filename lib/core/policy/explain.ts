import type { HealthAction } from "../schema/connection-status.ts";
import { ITEM_WORDS } from "../schema/item.ts";
import { annotationExclusion } from "./annotation-exclusion.ts";
import { missingPermissions } from "./permissions.ts";
import { pinFault } from "./pin-fault.ts";
import { REASONS, type Reason } from "./reasons.ts";
import { splitToolId } from "./tool-id.ts";
import type { ItemSnapshot, PolicyQuestion, Refusal } from "./verdict.ts";

type Explanation = Pick<Refusal, "action" | "detail" | "remediation">;

/** The remedies that the diagnostics of a disconnected server may use instead of the default one (spec 000 §2.6). */
const CONNECTION_ACTIONS: readonly string[] = ["restart", "login", "view_logs"] satisfies HealthAction[];

/**
 * Words the message for one reason: the problem and its remedy. It names the server and the item but quotes no text of
 * the server.
 */
export function explainReason(reason: Reason, snapshot: ItemSnapshot, question: PolicyQuestion): Explanation {
  const { server = "" } = splitToolId(snapshot.id) ?? {};
  const row = REASONS[reason];
  const kind = snapshot.kind ?? "tool";
  const { noun, plural } = ITEM_WORDS[kind];
  const plain = {
    action: row.action,
    detail: detail(reason, snapshot, question, server),
    remediation: row.remediation(nameForShell(server), nameForShell(snapshot.id), kind),
  };
  if (reason === "tool_pending_approval" && snapshot.tool?.recorded === false)
    return {
      action: "restart",
      detail: `the ${noun} is listed by server "${server}" but has no approval record yet; the server's ${plural} must be listed again`,
      remediation: `list the server's ${plural} again with: proxy upstream restart ${nameForShell(server)}`,
    };
  if (reason === "hash_mismatch" && snapshot.violation !== undefined)
    return {
      ...plain,
      remediation: "compare with: proxy lock verify; then accept the difference with: proxy lock, or undo it",
    };
  const { signInAt } = snapshot.server ?? {};
  if (reason === "oauth_required" && signInAt !== undefined)
    return { ...plain, remediation: `sign in at the server yourself, in a browser, at ${signInAt}` };
  const better = snapshot.server?.action ?? "";
  if (reason === "server_unhealthy" && CONNECTION_ACTIONS.includes(better))
    // The array above holds health actions only.
    return { ...plain, action: better as HealthAction };
  return plain;
}

function detail(reason: Reason, snapshot: ItemSnapshot, question: PolicyQuestion, server: string): string {
  const { noun, plural } = ITEM_WORDS[snapshot.kind ?? "tool"];
  switch (reason) {
    case "server_not_configured":
      return `no server "${server}" is configured`;
    case "server_not_in_scope":
      return question.scope.profile === undefined
        ? `server "${server}" is outside the caller's scope`
        : `server "${server}" is outside profile "${question.scope.profile}"`;
    case "server_quarantined":
      return `server "${server}" is quarantined until a person has reviewed it`;
    case "server_disabled":
      return `server "${server}" is disabled`;
    case "not_found":
      // The text is the same for every well-formed id, whether or not its server exists: see disclose-verdict.ts.
      return splitToolId(snapshot.id) ? `unknown ${noun}` : "an id has the form server:tool";
    case "tool_denied_by_config":
      return `the configuration of server "${server}" excludes this tool (enabled_tools, disabled_tools)`;
    case "tool_blocked_by_user":
      return `a person blocked this ${noun}`;
    case "tool_changed":
      return `the ${noun} changed after it was approved`;
    case "tool_pending_approval":
      return `the ${noun} has not been approved yet`;
    case "hash_mismatch":
      return snapshot.violation ?? pinDetail(question, snapshot.tool?.hash ?? "");
    case "permission_denied":
      return permissionDetail(question, snapshot);
    case "oauth_required":
      return `server "${server}" requires a sign-in`;
    case "server_unhealthy":
      return snapshot.server?.listing === "failed"
        ? `server "${server}" could not list its ${plural}`
        : `server "${server}" is not connected`;
    case "server_initializing":
      return unready(server, plural, snapshot.server);
    case "missing_annotation":
    case "policy_filtered":
      return policyDetail(question, snapshot);
  }
}

function unready(
  server: string,
  plural: string,
  { state, listing }: Partial<NonNullable<ItemSnapshot["server"]>> = {},
): string {
  if (state === "Ready" && listing === "unlisted") return `server "${server}" is listing its ${plural}`;
  if (state === "Ready") return `server "${server}" has not listed its ${plural} since this proxy started`;
  if (state === "Authenticating") return `server "${server}" waits for a sign-in in progress`;
  return `server "${server}" is connecting`;
}

function pinDetail(question: PolicyQuestion, current: string): string {
  const present = question.hashes === true ? `; the current pin is ${current}` : "";
  switch (pinFault(question.pin ?? "", current)) {
    case "format":
      return "the pin is malformed; it has the form sha256/v{N}:{64 hex digits}";
    case "unstored":
      return "the proxy has no stored hash of the tool to compare with the pin";
    case "version":
      return `the pin has another hash version; pin the tool again${present}`;
    default:
      return `the tool differs from the pinned definition${present}`;
  }
}

function permissionDetail({ scope, variant }: PolicyQuestion, { tool }: ItemSnapshot): string {
  return `the caller lacks the permission ${missingPermissions(scope, tool?.annotations, variant).join(" and ")}`;
}

function policyDetail(question: PolicyQuestion, snapshot: ItemSnapshot): string {
  const excluded = annotationExclusion(question.policy ?? {}, snapshot.tool?.annotations);
  if (!excluded) return "excluded by the filters";
  if (
    excluded.missing &&
    excluded.filter === "exclude_destructive" &&
    snapshot.tool?.annotations?.readOnlyHint === true
  )
    return "exclude_destructive needs destructiveHint, which the tool does not declare; readOnlyHint true does not count for this filter: use read_only_only instead, or have its server declare destructiveHint false";
  return excluded.missing
    ? `${excluded.filter} needs ${excluded.hint}, which the tool does not declare`
    : `${excluded.filter} excludes a tool that declares ${excluded.hint} ${excluded.hint !== "readOnlyHint"}`;
}

/**
 * Quotes a name as one word of a command line that can be pasted. Names come from servers, so no part may be executed.
 */
export function nameForShell(name: string): string {
  if (/^[\w.:@/+-]{1,400}$/.test(name)) return name;
  const shortName = name.replace(/\p{Cc}/gu, "?");
  return `'${(shortName.length > 400 ? `${shortName.slice(0, 400)}…` : shortName).replaceAll("'", "'\\''")}'`;
}
