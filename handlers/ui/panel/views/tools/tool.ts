import type { Data } from "../../api.ts";

type Entry = Data<"GET /api/v1/tools">["tools"][number];

/** What the list of all tools shows; of ten thousand tools the rest is megabytes. */
const SHOWN = [
  "name",
  "server_name",
  "description",
  "withheld",
  "approval_status",
  "disabled",
  "config_denied",
  "usage",
  "last_used",
  "annotations",
] as const satisfies readonly (keyof Entry)[];

/** Asks for as much of every tool. */
export const EVERY_TOOL = { query: { fields: [...SHOWN, "scan.verdict", "scan.risk_score"].join() } } as const;

/** A tool as the list of all shows it. */
export type Tool = Pick<Entry, (typeof SHOWN)[number]> & {
  scan?: Pick<NonNullable<Entry["scan"]>, "verdict" | "risk_score"> | undefined;
};

export const keyOf = (t: Pick<Tool, "server_name" | "name">) => `${t.server_name}:${t.name}`;
