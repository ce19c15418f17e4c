import type { App } from "../app.ts";
import type { Actor, Origin } from "../schema/caller.ts";
import type { StatelessClients } from "../verbs/sessions/stateless.ts";
import { countCall, type TrackedSession } from "../verbs/sessions/track.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * Returns the actor under which a call, a read or a completion is recorded. The call is counted for the client's
 * session.
 */
export function actorOf(app: App, turn: RequestContext, stateless: StatelessClients): Actor {
  const tracked = turn.session ?? statelessOf(turn, stateless);
  if (tracked) countCall(app, tracked);
  const { caller, requestId, clientIp } = turn.requester;
  const origin: Writable<Origin> = { source: "mcp", requestId };
  if (clientIp !== undefined) origin.clientIp = clientIp;
  if (tracked) {
    origin.sessionId = tracked.record.id;
    origin.client = { name: tracked.record.client_name, version: tracked.record.client_version };
  }
  return { caller, origin };
}

/** Returns the record for the calls of a client without a session; undefined if the client sent no name. */
function statelessOf(
  { requester, mode, envelope }: RequestContext,
  stateless: StatelessClients,
): TrackedSession | undefined {
  if (!envelope?.client) return undefined;
  return stateless.of({ mode, caller: requester.caller, client: envelope.client, clientIp: requester.clientIp });
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
