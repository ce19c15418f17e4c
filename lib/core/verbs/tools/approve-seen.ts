import type { App } from "../../app.ts";
import { isCurrentPin, pinOf } from "../../catalog/pin.ts";
import { toolIdOf } from "../../catalog/row.ts";
import type { Actor } from "../../schema/caller.ts";
import type { Release, StillWaiting } from "../../schema/release.ts";
import type { ApprovalRow } from "../../schema/tool.ts";
import type { RowEdit } from "../../store/store.ts";
import { graveFindings, graveInstructions } from "./grave-findings.ts";
import { storeToolDecision } from "./store-tool-decision.ts";

/** What a person reviewed and accepts. */
export interface SeenTools {
  /** The reviewed pins by tool name; absent: the definitions that are listed now. */
  readonly pins?: Readonly<Record<string, string>> | undefined;
  /** Names of tools whose findings of severity high or critical the person accepts. */
  readonly acceptFindings?: readonly string[] | undefined;
  /** Whether the person accepts such findings in the server's instructions. */
  readonly acceptInstructions?: boolean | undefined;
}

/** What an approval changes in a record, and the text for the activity record. */
interface ApprovalChange {
  readonly apply: (row: ApprovalRow, by: string, now: number) => ApprovalRow;
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * Approves tools of one server whose definitions a person has reviewed. A tool that changed since, is not listed, or
 * has findings of severity high or critical that the person did not accept, is not changed but reported. The caller of
 * this function checks the permission.
 *
 * @param reviewed the reviewed pins by tool name
 * @returns the names approved by this call, and the others
 * @throws Fault disk_failed
 */
export async function approveSeen(
  app: App,
  server: string,
  reviewed: ReadonlyMap<string, string>,
  { apply, metadata = {} }: ApprovalChange,
  { acceptFindings = [], acceptInstructions = false }: Omit<SeenTools, "pins">,
  by: Actor,
): Promise<Release> {
  if (reviewed.size === 0) return { approved: [], pending: [] };
  const accepted = new Set(acceptFindings);
  const before = [...reviewed.keys()].flatMap((tool) => app.store.approvals.get(server, tool) ?? []);
  const grave = await graveFindings(app, server, before);
  const instructions = acceptInstructions ? [] : graveInstructions(app, server);

  /** Returns why a tool still waits; undefined if it can be approved. */
  const obstacle = (row: ApprovalRow | undefined, tool: string): StillWaiting | undefined => {
    const pin = reviewed.get(tool);
    const listed = app.catalog.get(toolIdOf(server, tool));
    if (!row || !listed) return { tool, reason: "not_listed" };
    if (pinOfRecord(row) !== pin || listed.hash !== pin) return { tool, reason: "changed_since" };
    const unaccepted = accepted.has(tool) ? [] : (grave.get(tool) ?? []);
    const findings = [...unaccepted, ...instructions];
    if (findings.length === 0 || isApproved(row)) return undefined;
    return { tool, reason: unaccepted.length > 0 ? "findings" : "instructions", findings };
  };
  // Each tool is compared in the change that approves it. Otherwise a listing could arrive and be approved without
  // review.
  const obstacles = new Map<string, StillWaiting | undefined>();
  const now = app.clock.now();
  const edit: RowEdit<ApprovalRow> = (row, tool) => {
    const found = obstacle(row, tool);
    obstacles.set(tool, found);
    return row && !found ? apply(row, by.caller.name, now) : undefined;
  };
  const metadataOfAll = { action: "approve", ...metadata };
  const approved = await storeToolDecision(app, server, [...reviewed.keys()], { edit, metadata: metadataOfAll }, by);
  return { approved, pending: [...obstacles.values()].flatMap((one) => one ?? []) };
}

/** Returns the pin of the definition in a record, by the current formula. */
export function pinOfRecord({ current, currentHash }: ApprovalRow): string {
  return isCurrentPin(currentHash) ? currentHash : pinOf(current);
}

/** True if a person approved exactly this definition and did not block it later. */
function isApproved(row: ApprovalRow): boolean {
  return row.status === "approved" && !row.disabled;
}
