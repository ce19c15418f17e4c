import type { App } from "../app.ts";
import type { Actor } from "../shape/caller.ts";
import { type Decision, decide } from "./decide.ts";

/** A person's switch beside the approval: it says nothing about what the tool is. */
const SWITCH: Record<"enable" | "disable", Decision> = {
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
 * Switches one tool on or off without touching its approval; what waits for approval still waits.
 *
 * @throws Fault server_not_found, tools_not_found, mcp_only_admin, management_disabled
 */
export async function setToolEnabled(
  app: App,
  server: string,
  tool: string,
  enabled: boolean,
  by: Actor,
): Promise<void> {
  await decide(app, server, [tool], SWITCH[enabled ? "enable" : "disable"], by);
}
