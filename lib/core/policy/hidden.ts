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
 * and anonymous clients are models, and a model must not read texts of a server that no person has reviewed.
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
 * States for each member of a connection's status whether it contains no text of the server. The type requires every
 * member, so a new member is not disclosed before somebody has decided about it.
 */
const WRITTEN_BY_US: Readonly<Record<keyof ConnectionStatus, boolean>> = {
  state: true,
  since: true,
  lastError: false,
  errorClass: true,
  failureCause: false,
  certificateFault: true,
  badCertificate: false,
  missingSecret: true,
  authRequired: true,
  signInRejectedAt: true,
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
    // The cast is safe: the remaining members keep their types.
    ...(Object.fromEntries(ours) as unknown as ConnectionStatus),
    ...(lastError !== undefined && { lastError: errorClass }),
    ...(listing && { listing: { listed: listing.listed, ...failed } }),
  };
}
