import type { App } from "../app.ts";
import { approve as approved } from "../catalog/approval.ts";
import type { Actor } from "../shape/caller.ts";
import { type Decision, decide } from "./decide.ts";

const APPROVE: Decision = {
  action: "approve",
  all: (row) => row.status !== "approved" && !row.disabled,
  apply: approved,
};

/**
 * Approves tools of one server as they are listed now (spec 000 §3, §4.2). Named tools are approved whatever they were,
 * a block included; "all" means the pending and changed ones that nobody blocked.
 *
 * @returns the names that are approved by this
 * @throws Fault server_not_found, tools_not_found, mcp_only_admin, management_disabled
 */
export function approve(app: App, server: string, names: readonly string[] | "all", by: Actor): Promise<string[]> {
  return decide(app, server, names, APPROVE, by);
}
