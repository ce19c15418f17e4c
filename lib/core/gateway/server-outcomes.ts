import type { App } from "../app.ts";
import { loopShare } from "../base/loop-share.ts";
import type { Reason } from "../policy/reasons.ts";
import { inScope } from "../policy/scope.ts";
import type { Caller } from "../schema/caller.ts";
import { serverReason } from "./tool-snapshot.ts";

/** `ready` if the items of a server can be used now, otherwise the reason why not. */
type ServerOutcome = "ready" | Reason;

/** Outcomes by server name; servers that are not ready come first. */
export type ServerOutcomes = Readonly<Record<string, ServerOutcome>>;

/** The member of `_meta` that contains the outcomes. */
export const OUTCOMES_KEY = "proxy/servers";

/** Maximum number of servers in one response. */
const MAX_SERVERS = 500;
/** Maximum number of servers in one sentence. */
const MAX_NAMED = 10;

/**
 * Returns the outcome of every server that a caller may see. It uses local facts only and waits for no server. Disabled
 * servers are omitted, because an operator wants them to be absent.
 *
 * @returns undefined if there are no such servers
 */
export async function serverOutcomes(app: App, caller: Caller): Promise<ServerOutcomes | undefined> {
  const absent: [string, ServerOutcome][] = [];
  const ready: [string, ServerOutcome][] = [];
  const pause = loopShare();
  for (const server of app.config.current().mcpServers) {
    const others = pause();
    if (others) await others;
    if (!server.enabled || !inScope(caller.scope, server.name)) continue;
    const reason = serverReason(app, caller, server);
    (reason ? absent : ready).push([server.name, reason ?? "ready"]);
  }
  const outcomes = [...absent, ...ready].slice(0, MAX_SERVERS);
  return outcomes.length === 0 ? undefined : Object.fromEntries(outcomes);
}

/** Returns a sentence for a model about the servers that are not ready; empty if every server is ready. */
export function outcomesNotice(outcomes: ServerOutcomes): string {
  const absent = Object.entries(outcomes).filter(([, outcome]) => outcome !== "ready");
  if (absent.length === 0) return "";
  const named = absent.slice(0, MAX_NAMED).map(([name, outcome]) => `${name} (${WORDS[outcome] ?? outcome})`);
  const more = absent.length > named.length ? `, and ${absent.length - named.length} more` : "";
  return `Tools of some servers may be missing or fail: ${named.join(", ")}${more}.`;
}

const WORDS: Partial<Record<ServerOutcome, string>> = {
  server_initializing: "still starting",
  server_unhealthy: "not reachable",
  server_quarantined: "quarantined until a person has reviewed it",
  oauth_required: "a person must sign in to it",
};
