import { inScope } from "../../policy/scope.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ErrorClass } from "../../schema/connection-status.ts";
import { type EventOf, SERVER_NAME_MEMBERS } from "../../schema/event.ts";

/** The reader of a stream. */
export type Viewer = Pick<Caller, "tier" | "scope" | "user">;

/**
 * How an event is sent. `published`: unchanged. `classed`: with `data` in place of its data. `servers`: as the current
 * list of servers, together with `extras`.
 */
type NarrowedEvent =
  | { form: "published" }
  | { form: "classed"; data: Record<string, unknown> }
  | { form: "servers"; extras: Record<string, unknown> };

/** Events about the configuration and secrets are sent to administrators only (spec 000 §6). */
const OPERATORS_ONLY = /^(config|secrets)\./;

/**
 * Events that report what a user did. In the multi-user edition they are sent to this user only. A server's log belongs
 * to no user, so such events are sent to none.
 */
const PERSONAL = /^(activity\.(?!system\.)|oauth\.|sensitive_data\.|server\.logged$)/;

/**
 * Decides whether a reader may receive an event, and in what form (spec 000 §6). Undefined: the event is not sent.
 *
 * Administrators get every event as published. Others get no event that names a server out of their scope. (The
 * specification requires this for `activity.*`, `oauth.*` and `security.*`; the proxy does it for all kinds.) Users of
 * the multi-user edition get only events of their own actions. `servers.changed` is always sent, without names out of
 * scope. Agents get no errors of calls. Errors of a server that waits for review are replaced by their class.
 *
 * @param isWithheld says whether the reader may not see texts of the server with this name
 */
export function narrowEvent(
  { kind, data, user }: Pick<EventOf, "kind" | "data" | "user">,
  viewer: Viewer,
  isWithheld: (server: string) => boolean,
): NarrowedEvent | undefined {
  if (kind === "servers.changed") return { form: "servers", extras: withoutForeign(data, viewer) };
  if (viewer.tier === "admin") return { form: "published" };
  if (OPERATORS_ONLY.test(kind) || namesForeign(data, viewer)) return undefined;
  if (viewer.user && PERSONAL.test(kind) && viewer.user.id !== user) return undefined;
  if (kind === "activity.tool_call.completed" && !viewer.user && "error_message" in data)
    return { form: "classed", data: withoutError(data) };
  const about = SERVER_NAME_MEMBERS.map((member) => (data as Record<string, unknown>)[member]);
  if (!about.some((name) => typeof name === "string" && isWithheld(name))) return { form: "published" };
  return kind === "server.logged" ? undefined : classed(kind, data);
}

/** The error of a call repeats arguments and answers, which are not for other agents. */
function withoutError(data: object): Record<string, unknown> {
  const { error_message: _, ...others } = data as Record<string, unknown>;
  return others;
}

/** Members of events that may contain text of an upstream. */
const ERRORS = ["error", "error_message", "message"] as const;

function classed(kind: string, data: object): NarrowedEvent {
  const classed = { ...data } as Record<string, unknown>;
  const errorClass: ErrorClass = kind.startsWith("oauth.") ? "sign_in_failed" : "connection_failed";
  for (const member of ERRORS) if (typeof classed[member] === "string") classed[member] = errorClass;
  return { form: "classed", data: classed };
}

function namesForeign(data: object, viewer: Viewer): boolean {
  return SERVER_NAME_MEMBERS.some((member) => isForeign((data as Record<string, unknown>)[member], viewer));
}

function withoutForeign(data: object, viewer: Viewer): Record<string, unknown> {
  const isNaming = (member: string) => (SERVER_NAME_MEMBERS as readonly string[]).includes(member);
  return Object.fromEntries(
    Object.entries(data).filter(([member, value]) => !(isNaming(member) && isForeign(value, viewer))),
  );
}

function isForeign(name: unknown, { scope }: Viewer): boolean {
  return typeof name === "string" && !inScope(scope, name);
}
