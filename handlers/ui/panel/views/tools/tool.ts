import type { Data } from "../../api.ts";

type Entry = Data<"GET /api/v1/tools">["tools"][number];

/** The fields for the list of all tools; all fields of ten thousand tools would be megabytes. */
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

/** The query for these fields of every tool. */
export const EVERY_TOOL = { query: { fields: [...SHOWN, "scan.verdict", "scan.risk_score"].join() } } as const;

/** A tool in the list of all tools. */
export type Tool = Pick<Entry, (typeof SHOWN)[number]> & {
  scan?: Pick<NonNullable<Entry["scan"]>, "verdict" | "risk_score"> | undefined;
};

export const keyOf = (t: Pick<Tool, "server_name" | "name">) => `${t.server_name}:${t.name}`;
