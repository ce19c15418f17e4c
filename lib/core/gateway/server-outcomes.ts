import type { App } from "../app.ts";
import { loopShare } from "../base/loop-share.ts";
import type { Reason } from "../policy/reasons.ts";
import { inScope } from "../policy/scope.ts";
import type { Caller } from "../schema/caller.ts";
import { serverReason } from "./tool-snapshot.ts";

/** Whether what a server offers can be used at this moment: `ready`, or the reason why not. */
type ServerOutcome = "ready" | Reason;

/** By the server's name, servers that are not ready first. */
export type ServerOutcomes = Readonly<Record<string, ServerOutcome>>;

/** Member of `_meta` that holds the outcomes. */
export const OUTCOMES_KEY = "proxy/servers";

/** Servers that one answer names. */
const MAX_SERVERS = 500;
/** Servers that one sentence names. */
const MAX_NAMED = 10;

/**
 * The outcome of every server that a caller may see, from local state: no server is asked or waited for. A disabled
 * server is left out, because an operator wants it to be absent.
 *
 * @returns undefined if there is no server to speak of
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

/** The same for a model, as one sentence; empty if every server is ready. */
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
