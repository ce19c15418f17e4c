import type { ToolSnapshot } from "#lib/core/policy/judge.ts";
import type { ToolRow } from "#lib/core/schema/tool.ts";

export const HASH = `sha256/v2:${"a".repeat(64)}`;

/** A tool that may be called, but for what is said otherwise. */
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

/** What is known of an id on a server that is well, but for what is said otherwise; `tool: null` for no such tool. */
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
