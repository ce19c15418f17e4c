import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import type { Caller } from "../schema/caller.ts";
import { endedTokenFault } from "../verbs/tokens/credential-expiry.ts";
import { currentCaller } from "../verbs/tokens/current-caller.ts";
import type { McpServer } from "./mcp-server.ts";
import type { PendingPosts } from "./pending-posts.ts";
import type { McpSessions } from "./sessions.ts";

/** Time between two heartbeats on an idle stream; intermediaries often close idle connections after a minute (ms). */
const BEAT_MS = 20_000;

/** Returns why a caller may no longer be served; undefined if it may. */
type FaultOf = (caller: Caller) => Fault | undefined;

/**
 * Keeps idle connections open, and ends requests, sessions and subscriptions of callers that may no longer call.
 * @returns a function that stops it
 */
export function followCallers(
  app: App,
  server: McpServer,
  sessions: McpSessions,
  posts: Pick<PendingPosts, "endWhere" | "keepAlive">,
): () => void {
  const endLasting = (faultOf: FaultOf) => {
    server.endHeld(faultOf);
    for (const session of [...sessions.all()]) if (faultOf(session.caller)) sessions.end(session);
  };
  // Requests are ended first, so that their clients get the reason.
  const endAll = (faultOf: FaultOf) => {
    posts.endWhere(faultOf);
    endLasting(faultOf);
  };
  const lossOf = (caller: Caller) => (currentCaller(app, caller) ? undefined : faultFor(app, caller));
  const endLost = () => endAll(lossOf);

  const stops = [
    // If the token got a new secret, it is valid, but not for what was started with the former one.
    app.store.tokens.onChange((name) =>
      endAll(({ tier, name: own }) => (tier === "agent" && own === name ? endedTokenFault(app, name) : undefined)),
    ),
    // If a user is disabled, the tokens of the user become invalid, too.
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
