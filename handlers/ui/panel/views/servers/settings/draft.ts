import { fieldsWith, type ServerField } from "#lib/core/schema/server-config-fields.ts";
import type { Args } from "../../../api.ts";
import type { Server } from "../../../parts/health.tsx";
import { patchBetween } from "../../configuration/patch.ts";
import { line, words } from "../command-line-text.ts";

type Change = Args<"PATCH /api/v1/servers/{name}">["body"];

/** Fields with an input of the general form, by kind; other fields have specific inputs. */
export const SWITCHES = inputs("flag");
export const TEXTS = [...inputs("duration"), ...inputs("count"), ...inputs("text"), ...inputs("list")];

const PLAIN = ["command", "working_dir", "url", "protocol", "trust_mode"] as const;

/** A definition that is being edited. */
export interface Draft {
  command: string;
  args: string;
  working_dir: string;
  url: string;
  protocol: string;
  trust_mode: string;
  /** Empty for the general setting. */
  validate_arguments: string;
  isolation: Readonly<Record<string, unknown>>;
  /** `SWITCHES` by key. */
  switches: Record<string, boolean>;
  /** `TEXTS` by key; empty for the general setting. */
  texts: Record<string, string>;
  /** Environment or headers: undefined keeps the value, null removes it. */
  map: Record<string, string | null | undefined>;
}

export function draftOf(server: Server): Draft {
  return {
    command: server.command ?? "",
    args: line(server.args ?? []),
    working_dir: server.working_dir ?? "",
    url: server.url ?? "",
    protocol: server.protocol,
    trust_mode: server.trust_mode ?? "manual",
    validate_arguments: server.validate_arguments ?? "",
    isolation: server.isolation ?? {},
    switches: Object.fromEntries(SWITCHES.map(({ key }) => [key, server[key] === true])),
    texts: Object.fromEntries(TEXTS.map(({ key }) => [key, textOf(server[key])])),
    map: {},
  };
}

/** The change of the server's definition: only differences are sent, so that no mask is sent back. */
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
  for (const { key } of SWITCHES) if (draft.switches[key] !== before.switches[key]) change[key] = draft.switches[key];
  for (const { key, kind } of TEXTS)
    if (draft.texts[key] !== before.texts[key]) change[key] = fieldValue(kind, draft.texts[key] ?? "");
  const map = Object.entries(draft.map).filter(([, value]) => value !== undefined);
  if (map.length > 0) change[server.url ? "headers" : "env"] = Object.fromEntries(map);
  return change as Change;
}

function inputs(kind: ServerField["kind"]) {
  return fieldsWith("form").flatMap(([key, field]) => (field.kind === kind ? [{ key, kind, ...field.form }] : []));
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? line(value) : String(value ?? "");
}

function fieldValue(kind: ServerField["kind"], text: string): unknown {
  if (text === "") return null;
  return kind === "count" ? Number(text) : kind === "list" ? words(text) : text;
}
