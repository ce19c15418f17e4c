import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import type { Caller } from "../schema/caller.ts";
import { endedTokenFault } from "../verbs/tokens/credential-expiry.ts";
import { currentCaller } from "../verbs/tokens/current-caller.ts";
import type { McpServer } from "./mcp-server.ts";
import type { PendingPosts } from "./pending-posts.ts";
import type { McpSessions } from "./sessions.ts";

/** Time between two heartbeats on a quiet stream; proxies in between often give up after a minute (ms). */
const BEAT_MS = 20_000;

/** Why a caller is served no longer; undefined if it is. */
type FaultOf = (caller: Caller) => Fault | undefined;

/** Keeps waiting connections alive, and ends what belongs to a caller who may no longer call. @returns what stops it */
export function followCallers(app: App, server: McpServer, sessions: McpSessions, posts: PendingPosts): () => void {
  const endLasting = (faultOf: FaultOf) => {
    server.endHeld(faultOf);
    for (const session of [...sessions.all()]) if (faultOf(session.caller)) sessions.end(session);
  };
  // The requests first, so that they get the reason.
  const endAll = (faultOf: FaultOf) => {
    posts.endWhere(faultOf);
    endLasting(faultOf);
  };
  const lossOf = (caller: Caller) => (currentCaller(app, caller) ? undefined : faultFor(app, caller));
  const endLost = () => endAll(lossOf);

  const stops = [
    // A token that has another secret now is good, but not for what the former one began.
    app.store.tokens.onChange((name) =>
      endAll(({ tier, name: own }) => (tier === "agent" && own === name ? endedTokenFault(app, name) : undefined)),
    ),
    // A user who is disabled loses all tokens, too.
    app.store.users.onChange(endLost),
    app.store.userSessions.onEnd(endLost),
    app.store.signIns.onEnd(endLost),
    app.clock.every(BEAT_MS, () => {
      posts.keepAlive();
      for (const session of sessions.all()) for (const outlet of session.outlets) outlet.keepAlive();
      sessions.sweep();
      endLasting(lossOf);
      for (const { caller, end } of [...server.subscriptions.all()]) if (lossOf(caller)) end();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function faultFor(app: App, { tier, name }: Caller): Fault {
  return tier === "agent" ? endedTokenFault(app, name) : new Fault("unauthenticated");
}
