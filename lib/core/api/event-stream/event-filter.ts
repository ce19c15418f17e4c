import { EVENT_KINDS, type EventKind, type EventOf, SERVER_NAME_MEMBERS } from "../../schema/event.ts";

/** The events that one reader wants, among those that it may receive. */
export interface EventFilter {
  /** Kinds of events, or beginnings of kinds: `activity`, `activity.tool_call`. Absent: all. */
  types?: readonly string[] | undefined;
  /** If set, only events that name this server. */
  server?: string | undefined;
}

const kinds = Object.keys(EVENT_KINDS) as EventKind[];

/** Events that every reader gets. */
const ALWAYS = ["status", "ping", "gap"] as const;

/** All values that `types` may contain. */
export const EVENT_TYPES: readonly string[] = [
  ...new Set([...kinds.flatMap(beginnings).sort((a, b) => (a < b ? -1 : 1)), ...ALWAYS]),
];

/** True if the event is of a requested type and, if the reader named a server, is about that server. */
export function isEventWanted({ kind, data }: Pick<EventOf, "kind" | "data">, { types, server }: EventFilter): boolean {
  return (
    isOfType(kind, types) &&
    (server === undefined || SERVER_NAME_MEMBERS.some((member) => (data as Named)[member] === server))
  );
}

/**
 * True if the reader wants a change of servers.
 *
 * @param about the server that changed; undefined if any server may have changed
 */
export function isChangeWanted(about: string | undefined, { types, server }: EventFilter): boolean {
  return isOfType("servers.changed", types) && (server === undefined || about === undefined || about === server);
}

type Named = Readonly<Record<string, unknown>>;

function isOfType(kind: EventKind, types: readonly string[] | undefined): boolean {
  return types === undefined || types.some((type) => kind === type || kind.startsWith(`${type}.`));
}

/** `a.b.c` → `a`, `a.b`, `a.b.c` */
function beginnings(kind: string): string[] {
  const parts = kind.split(".");
  return parts.map((_, n) => parts.slice(0, n + 1).join("."));
}
