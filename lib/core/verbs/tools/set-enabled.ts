import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import type { ServerConfig } from "../../config/config-keys.ts";
import { isDenied } from "../../gateway/tool-snapshot.ts";
import type { Actor } from "../../schema/caller.ts";
import { mayTrust } from "../servers/may-manage.ts";
import { decideTools, type ToolDecision } from "./decide.ts";
import { graveFindings } from "./grave-findings.ts";

/** Enables or disables tools. This is independent of their approval. */
const SWITCH: Record<"enable" | "disable", ToolDecision> = {
  enable: {
    action: "enable",
    all: (row) => row.disabled,
    apply: (row, _, now) => ({ ...row, disabled: false, updatedAt: now }),
  },
  disable: {
    action: "disable",
    all: (row) => !row.disabled,
    apply: (row, _, now) => ({ ...row, disabled: true, updatedAt: now }),
  },
};

/**
 * Enables or disables one tool without changing its approval: a tool that waits for approval still waits.
 *
 * A blocked tool is an approved tool that is disabled (spec 000 §3). Enabling a tool with findings of severity high or
 * critical therefore requires that the person accepts them by name, as approving it does.
 *
 * @param acceptFindings names of tools whose findings of severity high or critical the person accepts
 * @throws Fault server_not_found, tools_not_found, tool_denied, findings_not_accepted, mcp_only_admin,
 *   management_disabled
 */
export async function setToolEnabled(
  app: App,
  server: string,
  tool: string,
  enabled: boolean,
  by: Actor,
  acceptFindings: readonly string[] = [],
): Promise<void> {
  mayTrust(by, `tools ${enabled ? "enable" : "disable"}`);
  const row = app.store.approvals.get(server, tool);
  const denied = enabled && row && deniedBy(app.config.server(server), tool);
  if (denied) throw new Fault("tool_denied", { server, tool, key: denied });
  if (enabled && row?.disabled && !acceptFindings.includes(tool)) {
    const rules = (await graveFindings(app, server, [row])).get(tool)?.map(({ rule }) => rule);
    if (rules) throw new Fault("findings_not_accepted", { server, tool, rules: [...new Set(rules)] });
  }
  await decideTools(app, server, [tool], SWITCH[enabled ? "enable" : "disable"], by);
}

/** The result for all tools of a server. */
interface AllToolsResult {
  changed: string[];
  /** Tools that must be enabled one by one by name, and why. */
  skipped: { tool: string; reason: "tool_denied" | "findings_not_accepted" }[];
}

/**
 * Enables or disables all tools of a server. Enabling skips tools that `setToolEnabled` would reject.
 *
 * @throws Fault server_not_found, mcp_only_admin, management_disabled
 */
export async function setAllToolsEnabled(
  app: App,
  server: string,
  enabled: boolean,
  by: Actor,
): Promise<AllToolsResult> {
  if (!enabled) return { changed: await decideTools(app, server, "all", SWITCH.disable, by), skipped: [] };
  mayTrust(by, "tools enable");
  const rows = app.store.approvals.of(server).filter(SWITCH.enable.all);
  const config = app.config.server(server);
  const grave = await graveFindings(app, server, rows);
  const skipped = rows.flatMap(({ tool }): AllToolsResult["skipped"] => {
    if (deniedBy(config, tool)) return [{ tool, reason: "tool_denied" }];
    return grave.has(tool) ? [{ tool, reason: "findings_not_accepted" }] : [];
  });
  const left = new Set(skipped.map(({ tool }) => tool));
  const names = rows.map(({ tool }) => tool).filter((tool) => !left.has(tool));
  return { changed: await decideTools(app, server, names, SWITCH.enable, by), skipped };
}

/** Returns which list of the configuration denies a tool, if any. */
function deniedBy(server: ServerConfig | undefined, tool: string): "enabled_tools" | "disabled_tools" | undefined {
  if (!server || !isDenied(server, tool)) return undefined;
  return server.disabled_tools?.includes(tool) ? "disabled_tools" : "enabled_tools";
}
