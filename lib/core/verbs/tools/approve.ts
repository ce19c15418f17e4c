import type { App } from "../../app.ts";
import { approveRecord as approved } from "../../catalog/approve-record.ts";
import type { Actor } from "../../schema/caller.ts";
import type { Release } from "../../schema/release.ts";
import { findServer } from "../servers/find.ts";
import { mayManage, mayTrust } from "../servers/may-manage.ts";
import { approveSeen, pinOfRecord, type SeenTools } from "./approve-seen.ts";
import { namedApprovalRows } from "./decide.ts";

/**
 * Approves tools of one server (spec 000 §3, §4.2). Named tools are approved in any state, even if blocked; "all" means
 * the pending and changed tools that nobody blocked. A tool that differs from the reviewed definition, or has findings
 * of severity high or critical that are not accepted by name, is not changed.
 *
 * @returns the names approved by this call, and the others with the reason
 * @throws Fault server_not_found, tools_not_found, mcp_only_admin, management_disabled
 */
export async function approveTools(
  app: App,
  server: string,
  names: readonly string[] | "all",
  { pins, ...accepts }: SeenTools,
  by: Actor,
): Promise<Release> {
  mayTrust(by, "tools approve");
  mayManage(app, by, "change");
  findServer(app, server, by.caller);
  const rows =
    names === "all"
      ? app.store.approvals.of(server).filter((row) => row.status !== "approved" && !row.disabled)
      : namedApprovalRows(app, server, names);
  const shown = pins && new Map(Object.entries(pins));
  const seen = new Map(rows.map((row) => [row.tool, shown ? (shown.get(row.tool) ?? "") : pinOfRecord(row)]));
  const release = await approveSeen(app, server, seen, { apply: approved }, accepts, by);
  if (release.approved.length > 0) app.events.publish("servers.changed", { server, reason: "tools_approved" });
  return release;
}
