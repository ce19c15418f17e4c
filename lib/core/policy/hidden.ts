import type { Caller } from "../schema/caller.ts";
import type { ConnectionStatus, ErrorClass } from "../schema/connection-status.ts";
import type { ApprovalStatus } from "../schema/tool.ts";

/** The decisions about a server that a person still has to make. */
export interface ReviewState {
  readonly quarantined: boolean;
  readonly held?: boolean;
}

type Viewer = Pick<Caller, "tier">;

/**
 * Decides whether the texts of a server (its name and version, its errors, its log) are hidden from a caller. Agents
 * and
 * anonymous clients are models, and a model must not read texts of a server that no person has reviewed.
 *
 * @param server absent if it is not configured
 */
export function isServerHidden(server: ReviewState | undefined, { tier }: Viewer): boolean {
  return tier !== "admin" && (server === undefined || server.quarantined || server.held === true);
}

/**
 * Decides whether a caller may not read the texts of a tool or another item: nobody has approved them, a person has
 * blocked the item, or its server waits for review. Administrators may read everything.
 */
export function isToolHidden(
  tool: { readonly status: ApprovalStatus; readonly disabled: boolean },
  server: ReviewState | undefined,
  viewer: Viewer,
): boolean {
  if (viewer.tier === "admin") return false;
  return isServerHidden(server, viewer) || tool.status !== "approved" || tool.disabled;
}

/**
 * Finds the class of an error of which only the text is known, as in a record or an event. For a live connection the
 * connection's status contains the class.
 */
export function errorClass(text: string): ErrorClass {
  return CLASSES.find(([said]) => said.test(text))?.[1] ?? "connection_failed";
}

/**
 * The first match counts. Each expression matches the proxy's own wording of upstream errors, also that of earlier
 * versions, which is in stored records.
 */
const CLASSES: readonly (readonly [RegExp, ErrorClass])[] = [
  [/^its process /, "process_exited"],
  [
    /it refused the handshake|(?:response|answer) to (?:initialize|server\/discover)|uses protocol version|protocol revision/,
    "handshake_failed",
  ],
  [/tools\/list|tool list|it lists more than/, "listing_failed"],
  [/^secret .* is not set/, "missing_secret"],
  [/requires a sign-in|asks for sign-in|sign in|wider permission/, "sign_in_required"],
  [/not ready within|no (?:response|answer) within|did not respond within|timed? ?out/i, "timed_out"],
];

/**
 * States for each member of a connection's status whether it contains no text of the server. The type requires every
 * member, so a new member is not disclosed before somebody has decided about it.
 */
const WRITTEN_BY_US: Readonly<Record<keyof ConnectionStatus, boolean>> = {
  state: true,
  since: true,
  lastError: false,
  errorClass: true,
  failureCause: false,
  badCertificate: false,
  missingSecret: true,
  authRequired: true,
  listing: false,
  itemsError: false,
  connectedAt: true,
  attempts: true,
  reconnects: true,
  nextAttemptAt: true,
  serverInfo: false,
  protocolVersion: true,
  instructions: false,
  pid: true,
};

/**
 * Returns a connection's status as a caller may see it: the texts of a hidden server are replaced by the class of the
 * error.
 */
export function disclosedStatus(
  status: ConnectionStatus,
  server: ReviewState | undefined,
  viewer: Viewer,
): ConnectionStatus {
  if (!isServerHidden(server, viewer)) return status;
  const { lastError, errorClass = "connection_failed", listing } = status;
  const ours = Object.entries(status).filter(([member]) => WRITTEN_BY_US[member as keyof ConnectionStatus]);
  const failed = listing?.error !== undefined && { error: "listing_failed" satisfies ErrorClass };
  return {
    // The remaining members keep their types.
    ...(Object.fromEntries(ours) as unknown as ConnectionStatus),
    ...(lastError !== undefined && { lastError: errorClass }),
    ...(listing && { listing: { listed: listing.listed, ...failed } }),
  };
}
