import type { Filters } from "./feed.ts";

const DAY_MS = 86_400_000;
/** The selectable periods: label, and length (ms). */
export const PERIODS = { "24h": ["24 hours", DAY_MS], "7d": ["7 days", 7 * DAY_MS], all: ["All", undefined] } as const;
export type Period = keyof typeof PERIODS;
export const SEVERITIES = ["critical", "high", "medium", "low"] as const;

/** Reads the filters from the URL, in the form of the API. */
export function readFilters(query: URLSearchParams): { filters: Filters; period: Period } {
  const said = (name: string) => query.get(name) || undefined;
  const asked = said("period") ?? "all";
  const period: Period = asked in PERIODS ? (asked as Period) : "all";
  const sensitive = said("sensitive");
  const members = {
    type: said("type"),
    server: said("server"),
    tool: said("tool"),
    status: said("status"),
    session_id: said("session"),
    client: said("client"),
    request_id: said("request"),
    parent_id: said("parent"),
    sensitive_data: sensitive && "true",
    severity: sensitive && sensitive !== "any" ? sensitive : undefined,
  };
  return { filters: Object.fromEntries(Object.entries(members).filter(([, v]) => v !== undefined)), period };
}
