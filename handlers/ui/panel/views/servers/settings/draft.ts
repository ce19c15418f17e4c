import type { Args } from "../../../api.ts";
import type { Server } from "../../../parts/health.tsx";
import { patchBetween } from "../../configuration/patch.ts";
import { line, words } from "../texts.ts";

type Change = Args<"PATCH /api/v1/servers/{name}">["body"];

/** Limits of time, each edited as a text such as `30s`. */
export const TIMES = [
  ["init_timeout", "Start timeout", "such as 30s"],
  ["call_tool_timeout", "Call timeout", "such as 2m"],
  ["health_check_interval", "Health check interval", "such as 30s; 0 disables it"],
  ["tool_discovery_interval", "Tool discovery interval", "such as 5m; 0 disables it"],
  ["queue_timeout", "Queue timeout", "such as 10s"],
] as const;
/** Limits that are numbers. */
export const NUMBERS = [
  ["max_concurrent_requests", "Max concurrent calls", "0: no limit"],
  ["queue_size", "Queue size", "maximum number of waiting calls; further calls are rejected"],
] as const;

const PLAIN = ["command", "working_dir", "url", "protocol", "trust_mode", "reconnect_on_use"] as const;

/** A definition while it is edited. */
export interface Draft {
  command: string;
  args: string;
  working_dir: string;
  url: string;
  protocol: string;
  trust_mode: string;
  /** Empty: as in general. */
  validate_arguments: string;
  reconnect_on_use: boolean;
  isolation: Readonly<Record<string, unknown>>;
  /** `TIMES` and `NUMBERS` by key; empty: as in general. */
  texts: Record<string, string>;
  /** Environment or headers: undefined keeps the value, null removes it. */
  map: Record<string, string | null | undefined>;
}

export function draftOf(server: Server): Draft {
  const texts = Object.fromEntries(
    [...TIMES, ...NUMBERS].map(([key]) => [key, server[key] === undefined ? "" : String(server[key])]),
  );
  return {
    command: server.command ?? "",
    args: line(server.args ?? []),
    working_dir: server.working_dir ?? "",
    url: server.url ?? "",
    protocol: server.protocol,
    trust_mode: server.trust_mode ?? "manual",
    validate_arguments: server.validate_arguments ?? "",
    reconnect_on_use: server.reconnect_on_use,
    isolation: server.isolation ?? {},
    texts,
    map: {},
  };
}

/** What the server's definition becomes: only what differs is sent, so that no mask ever goes back. */
export function changeOf(server: Server, draft: Draft): Change {
  const before = draftOf(server);
  const change: Record<string, unknown> = {};
  for (const key of PLAIN) if (draft[key] !== before[key]) change[key] = draft[key];
  if (draft.validate_arguments !== before.validate_arguments)
    change.validate_arguments = draft.validate_arguments || null;
  if (draft.args !== before.args) change.args = words(draft.args);
  const isolation = patchBetween(before.isolation, draft.isolation);
  if (Object.keys(isolation).length > 0)
    change.isolation = Object.keys(draft.isolation).length === 0 ? null : isolation;
  for (const [key] of TIMES)
    if (draft.texts[key] !== before.texts[key]) change[key] = draft.texts[key] === "" ? null : draft.texts[key];
  for (const [key] of NUMBERS)
    if (draft.texts[key] !== before.texts[key]) change[key] = draft.texts[key] === "" ? null : Number(draft.texts[key]);
  const map = Object.entries(draft.map).filter(([, value]) => value !== undefined);
  if (map.length > 0) change[server.url ? "headers" : "env"] = Object.fromEntries(map);
  return change as Change;
}
