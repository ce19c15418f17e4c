import type { ToolSnapshot } from "#lib/core/policy/judge.ts";
import type { ToolRow } from "#lib/core/schema/tool.ts";

export const HASH = `sha256/v2:${"a".repeat(64)}`;

/** A callable tool with the given changes. */
export function toolRow(over: Partial<ToolRow> = {}): ToolRow {
  const { server = "git", name = "log" } = over;
  return {
    id: `${server}:${name}`,
    server,
    name,
    description: "",
    inputSchema: { type: "object" },
    hash: HASH,
    status: "approved",
    recorded: true,
    disabled: false,
    present: true,
    ...over,
  };
}

/**
 * The state of a tool's ID on a healthy server, with the given changes; `tool: null` for a tool that does not exist.
 */
export function seen(
  over: {
    server?: Partial<NonNullable<ToolSnapshot["server"]>> | null;
    tool?: Partial<ToolRow> | null;
    denied?: boolean;
  } = {},
): ToolSnapshot {
  const well = {
    name: "git",
    enabled: true,
    quarantined: false,
    state: "Ready",
    authRequired: false,
    trusted: false,
    action: "",
  } as const;
  return {
    id: "git:log",
    ...(over.server !== null && { server: { ...well, ...over.server } }),
    ...(over.tool !== null && over.server !== null && { tool: toolRow(over.tool) }),
    denied: over.denied ?? false,
  };
}
