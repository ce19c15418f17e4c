import { EVENT_KINDS, type EventKind, type EventOf, SERVER_NAME_MEMBERS } from "../../schema/event.ts";

/** What one reader wants to hear of, within what it may hear. */
export interface EventFilter {
  /** Kinds of events, or what several begin with: `activity`, `activity.tool_call`. All unless given. */
  types?: readonly string[] | undefined;
  /** Only events that name this server. */
  server?: string | undefined;
}

const kinds = Object.keys(EVENT_KINDS) as EventKind[];

/** Frames that every reader gets. */
const ALWAYS = ["status", "ping", "gap"] as const;

/** Every word that may stand in `types`. */
export const EVENT_TYPES: readonly string[] = [
  ...new Set([...kinds.flatMap(beginnings).sort((a, b) => (a < b ? -1 : 1)), ...ALWAYS]),
];

export function isEventWanted({ kind, data }: Pick<EventOf, "kind" | "data">, { types, server }: EventFilter): boolean {
  return (
    isOfType(kind, types) &&
    (server === undefined || SERVER_NAME_MEMBERS.some((member) => (data as Named)[member] === server))
  );
}

/**
 * Whether a change of servers is wanted.
 *
 * @param about the server that changed; undefined where any may have
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
