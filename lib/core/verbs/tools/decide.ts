import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import type { Actor } from "../../schema/caller.ts";
import type { ApprovalRow } from "../../schema/tool.ts";
import { findServer } from "../servers/find.ts";
import { mayManage, mayTrust } from "../servers/may-manage.ts";
import { storeToolDecision } from "./store-tool-decision.ts";

export interface ToolDecision {
  /** Name of the decision in records and errors. */
  action: "block" | "enable" | "disable";
  /** Selects the rows that "all" stands for. */
  all: (row: ApprovalRow) => boolean;
  /** Returns the row after the decision. */
  apply: (row: ApprovalRow, by: string, now: number) => ApprovalRow;
}

const CHANGES = { block: "tools_blocked", enable: "tools_enabled", disable: "tools_disabled" } as const;

/**
 * Carries out a person's decision about tools of one server: in the store in one transaction, then in the catalog, then
 * in the activity records.
 *
 * @param names tool names without the server, or "all"
 * @returns the affected names, in the requested or stored order
 * @throws Fault server_not_found, tools_not_found (then nothing is changed), mcp_only_admin, management_disabled
 */
export async function decideTools(
  app: App,
  server: string,
  names: readonly string[] | "all",
  { action, all, apply }: ToolDecision,
  by: Actor,
): Promise<string[]> {
  mayTrust(by, `tools ${action}`);
  mayManage(app, by, "change");
  findServer(app, server, by.caller);
  const rows = names === "all" ? app.store.approvals.of(server).filter(all) : namedApprovalRows(app, server, names);
  if (rows.length === 0) return [];
  const now = app.clock.now();
  const isConcerned = names === "all" ? all : () => true;
  const edit = (row: ApprovalRow | undefined) =>
    row && isConcerned(row) ? apply(row, by.caller.name, now) : undefined;
  const tools = rows.map(({ tool }) => tool);
  const decided = await storeToolDecision(app, server, tools, { edit, metadata: { action } }, by);
  app.events.publish("servers.changed", { server, reason: CHANGES[action] });
  return decided;
}

/** Returns the records of tools by their names without the server. @throws Fault tools_not_found */
export function namedApprovalRows(app: App, server: string, names: readonly string[]): ApprovalRow[] {
  const found = [...new Set(names)].map((name) => ({ name, row: app.store.approvals.get(server, name) }));
  const missing = found.filter(({ row }) => !row).map(({ name }) => name);
  if (missing.length > 0) throw new Fault("tools_not_found", { server, tools: missing });
  return found.flatMap(({ row }) => row ?? []);
}
