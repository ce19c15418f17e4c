import type { App } from "../app.ts";
import { endedTokenFault } from "../verbs/tokens/credential-expiry.ts";
import { tokenDefect } from "../verbs/tokens/verify.ts";
import type { McpServer } from "./mcp-server.ts";
import type { PendingPosts } from "./pending-posts.ts";
import type { McpSessions } from "./sessions.ts";

/** Time between two heartbeats on a quiet stream; proxies in between often give up after a minute (ms). */
const BEAT_MS = 20_000;

/** Keeps waiting connections alive, and ends what belongs to a caller who may no longer call. @returns what stops it */
export function followCallers(app: App, server: McpServer, sessions: McpSessions, posts: PendingPosts): () => void {
  // A token that is revoked or replaced takes its sessions, their streams and their calls with it.
  const forgetTokens = app.store.tokens.onChange((name) => {
    posts.endAgents((token) => (token === name ? endedTokenFault(app, token) : undefined));
    endAgents(sessions, (token) => token === name);
  });

  // So does a user who is disabled, with all tokens of theirs.
  const forgetUsers = app.store.users.onChange(() => {
    posts.endAgents((token) => (tokenDefect(app, token) ? endedTokenFault(app, token) : undefined));
    endAgents(sessions, (token) => tokenDefect(app, token) !== undefined);
  });

  const stopBeat = app.clock.every(BEAT_MS, () => {
    posts.keepAlive();
    for (const session of sessions.all()) for (const outlet of session.outlets) outlet.keepAlive();
    sessions.sweep();
    endAgents(sessions, (token) => tokenDefect(app, token) !== undefined);
    for (const { caller, end } of [...server.subscriptions.all()])
      if (caller.tier === "agent" && tokenDefect(app, caller.name)) end();
  });

  return () => {
    stopBeat();
    forgetTokens();
    forgetUsers();
  };
}

function endAgents(sessions: McpSessions, over: (token: string) => boolean): void {
  for (const session of [...sessions.all()]) {
    const { tier, name } = session.caller;
    if (tier === "agent" && over(name)) sessions.end(session);
  }
}
