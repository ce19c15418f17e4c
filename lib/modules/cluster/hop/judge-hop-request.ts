import type { App } from "../../../core/app.ts";
import { resourceSnapshot } from "../../../core/gateway/resource-snapshot.ts";
import { UNCONNECTED } from "../../../core/gateway/stages/judge.ts";
import { itemSnapshot, serverReason, toolSnapshot } from "../../../core/gateway/tool-snapshot.ts";
import { judge } from "../../../core/policy/judge.ts";
import type { ItemSnapshot } from "../../../core/policy/verdict.ts";
import type { Caller } from "../../../core/schema/caller.ts";
import type { McpObject } from "../../../core/schema/mcp.ts";
import { currentRequestCaller } from "../../../core/verbs/tokens/current-caller.ts";
import { Fault } from "../faults.ts";

interface HopRequest {
  readonly server: string;
  readonly method: string;
  readonly params: McpObject;
  /** Undefined for a request that the other replica makes for itself. */
  readonly caller: Caller | undefined;
}

/** What a replica may request for itself: it decides itself which of its callers may see the answers. */
const OWN_METHODS: ReadonlySet<string> = new Set([
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "server/discover",
]);

/**
 * Checks a request of another replica by what this replica knows. The other one has decided already; its view may be
 * older, for example of a token that was revoked a moment ago.
 *
 * @returns the caller with its current rights; undefined for a request of the replica itself
 * @throws Fault cluster_call_refused; server_not_ready if the process is not connected at the moment, so that the call can be
 *   repeated
 */
export function judgeHopRequest(app: App, request: HopRequest): Caller | undefined {
  const { server, method, caller } = request;
  const refuse = (reason: string) => new Fault("cluster_call_refused", { server, reason });
  if (!caller) {
    if (OWN_METHODS.has(method)) return undefined;
    throw refuse(`${method} names no caller`);
  }
  const now = currentRequestCaller(app, caller);
  const seen = snapshotFor(app, request);
  if (seen) {
    // The variant was compared with the tool, and tools for apps were hidden, where the call came in.
    const verdict = judge(seen, { scope: now.scope, connection: true, isAppHost: true });
    if (verdict.ready) return now;
    if (UNCONNECTED.has(verdict.reason))
      throw new Fault("server_not_ready", { server, state: seen.server?.state ?? "Disconnected" });
    throw refuse(verdict.detail);
  }
  const entry = app.config.server(server);
  const reason = entry ? serverReason(app, now, entry) : "server_not_configured";
  if (reason !== undefined) throw refuse(reason);
  return now;
}

/** Returns the facts about the item of a request; undefined if the request names none. */
function snapshotFor(app: App, { server, method, params }: HopRequest): ItemSnapshot | undefined {
  const name = String(params.name);
  switch (method) {
    case "tools/call":
      return toolSnapshot(app, `${server}:${name}`);
    case "prompts/get":
      return itemSnapshot(app, { kind: "prompt", server, name });
    case "resources/read":
      return resourceSnapshot(app, server, String(params.uri));
    default:
      return undefined;
  }
}
