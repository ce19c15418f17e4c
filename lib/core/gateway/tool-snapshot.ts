import type { App } from "../app.ts";
import type { ServerConfig } from "../config/config-keys.ts";
import { type PolicyFact, policyFacts } from "../extension/policy-facts.ts";
import { userConnections } from "../extension/user-connections.ts";
import { discloseVerdict } from "../policy/disclose-verdict.ts";
import { firstReason, type ItemSnapshot, judge, type ToolSnapshot, type Verdict } from "../policy/judge.ts";
import type { Reason } from "../policy/reasons.ts";
import { splitToolId } from "../policy/tool-id.ts";
import type { AnnotationPolicy } from "../schema/annotation-policy.ts";
import type { Caller } from "../schema/caller.ts";
import type { ConnectionStatus } from "../schema/connection-status.ts";
import type { ItemRow, ListedKind } from "../schema/item.ts";
import type { ToolRow } from "../schema/tool.ts";
import { isUntried, serverHealth } from "./health.ts";

/** Returns all facts about one tool id at this moment. It uses local state only; no request is sent to an upstream. */
export function toolSnapshot(app: App, id: string): ToolSnapshot {
  const parts = splitToolId(id);
  const server = parts && app.config.server(parts.server);
  if (!parts || !server) return { id, denied: false };
  const tool = app.catalog.get(id);
  const violation = tool && violationOf(app.part(policyFacts), server, tool);
  return {
    id,
    server: serverFacts(app, server),
    ...(tool && { tool }),
    denied: isDenied(server, parts.tool),
    ...(violation !== undefined && { violation }),
  };
}

/** Identifies an item by its server and the name (or URI) that the server uses. */
interface ItemName {
  readonly kind: ListedKind;
  readonly server: string;
  readonly name: string;
}

/** Like `toolSnapshot`, for a prompt, a resource or a resource template. */
export function itemSnapshot(app: App, { kind, server: of, name }: ItemName): ItemSnapshot<ItemRow> {
  const id = `${of}:${name}`;
  const server = app.config.server(of);
  if (!server) return { id, kind, denied: false };
  const row = app.catalog.items.get(kind, of, name);
  const violation = row && violationOf(app.part(policyFacts), server, row);
  return {
    id,
    kind,
    server: serverFacts(app, server),
    ...(row && { tool: row }),
    denied: false,
    ...(violation !== undefined && { violation }),
  };
}

/** Returns the reason for which a module blocks an item, if any. */
function violationOf(facts: readonly PolicyFact[], server: ServerConfig, tool: ToolRow | ItemRow): string | undefined {
  for (const fact of facts) {
    const reason = fact(server, tool);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

interface JudgeOptions {
  /** Whether the state of the connection is part of the decision. */
  connection: boolean;
  policy?: AnnotationPolicy;
  pin?: string;
  /**
   * Discloses only what a caller of this tier may know. The check within an MCP request uses `agent` for every caller.
   */
  tier?: Caller["tier"];
}

/**
 * Judges one id for a caller and discloses only what this caller may know (spec 000 §4.3 rule 6).
 *
 * @returns `known`: the facts from which the verdict follows; empty for an id that does not exist for the caller
 */
export function judgeId(
  app: App,
  caller: Caller,
  id: string,
  { tier = caller.tier, ...question }: JudgeOptions,
): { verdict: Verdict; known: ToolSnapshot } {
  const snapshot = forCaller(app, caller, toolSnapshot(app, id));
  const verdict = discloseVerdict(
    judge(snapshot, { ...question, scope: caller.scope, hashes: tier === "admin" }),
    { tier },
    snapshot.kind,
  );
  const hidden = !verdict.ready && verdict.reason === "not_found";
  return { verdict, known: hidden ? { id: snapshot.id, denied: false } : snapshot };
}

/**
 * Replaces the state of the shared connection by that of the caller's separate one, if each user signs in separately.
 */
function forCaller<Row extends ToolRow | ItemRow>(
  app: App,
  caller: Caller,
  snapshot: ItemSnapshot<Row>,
): ItemSnapshot<Row> {
  const separate = snapshot.server && app.part(userConnections).stateOf(caller, snapshot.server.name);
  if (!snapshot.server || !separate) return snapshot;
  const { state, authRequired = false } = separate.status;
  const user = authRequired && { signInAt: app.part(userConnections).signInPage() };
  return { ...snapshot, server: { ...snapshot.server, state, authRequired, ...user } };
}

/** Returns why a caller cannot use any item of a server now; undefined if the server is ready. */
export function serverReason(app: App, caller: Caller, server: ServerConfig): Reason | undefined {
  const unlisted = { id: `${server.name}:unlisted`, server: serverFacts(app, server), denied: false };
  const reason = firstReason(forCaller(app, caller, unlisted), { scope: caller.scope, connection: true });
  // `not_found` means that only the invented item is missing, so the server is ready.
  return reason === "not_found" ? undefined : reason;
}

/**
 * Returns a function that says whether a caller may be shown a tool: in search, direct mode and suggestions. The state
 * of the connection does not matter.
 *
 * Create one for each search or listing, because it caches the facts about each server.
 */
export function visibleTo(
  app: App,
  caller: Caller,
  policy?: AnnotationPolicy,
  isAppHost = false,
): (row: ToolRow) => boolean {
  const reason = reasonsFor(app, caller, policy, isAppHost);
  return (row) => reason(row) === undefined;
}

/** Like `visibleTo`, for prompts, resources and resource templates. */
export function visibleItems(app: App, caller: Caller): (row: ItemRow) => boolean {
  const reason = reasonsFor(app, caller);
  return (row) => reason(row) === undefined;
}

/** Like `visibleTo`, but returns the reason why a tool is hidden, for the counts of hidden tools. */
export function reasonsFor(
  app: App,
  caller: Caller,
  policy?: AnnotationPolicy,
  isAppHost = false,
): (row: ToolRow | ItemRow) => Reason | undefined {
  const servers = new Map<string, { facts: NonNullable<ToolSnapshot["server"]>; config: ServerConfig } | undefined>();
  const question = { scope: caller.scope, connection: false, isAppHost, ...(policy && { policy }) };
  const facts = app.part(policyFacts);
  const look = (name: string) => {
    const config = app.config.server(name);
    const found = config && { facts: serverFacts(app, config), config };
    servers.set(name, found);
    return found;
  };
  return (row) => {
    const known = servers.has(row.server) ? servers.get(row.server) : look(row.server);
    if (!known) return "server_not_configured";
    const violation = violationOf(facts, known.config, row);
    const isTool = !("kind" in row);
    const snapshot = {
      id: isTool ? row.id : `${row.server}:${row.name}`,
      server: known.facts,
      tool: row,
      denied: isTool && isDenied(known.config, row.name),
      ...(violation !== undefined && { violation }),
    };
    return firstReason(snapshot, question);
  };
}

function serverFacts(app: App, server: ServerConfig): NonNullable<ToolSnapshot["server"]> {
  const status = app.upstreams.get(server.name)?.status();
  const quarantined = app.config.quarantined(server);
  const { enabled } = server;
  const state = !status || isUntried(status) ? "Connecting" : status.state;
  const listing = listingOf(status);
  return {
    name: server.name,
    enabled,
    quarantined,
    state,
    authRequired: status?.authRequired === true,
    ...(listing && { listing }),
    trusted: isTrusted(app, server),
    action:
      state === "Ready" && listing !== "failed"
        ? ""
        : serverHealth({ enabled, quarantined, ...(status && { status }), tools: 0, pending: 0, changed: 0 }).action,
  };
}

function listingOf(status: ConnectionStatus | undefined): "unlisted" | "failed" | undefined {
  const { listing, state } = status ?? {};
  if (state !== "Ready" || !listing) return undefined;
  if (listing.error !== undefined) return "failed";
  return listing.listed ? undefined : "unlisted";
}

/**
 * True if a setting replaces the approval of a server's tools by a person. No setting does while the database with
 * earlier decisions is missing.
 */
export function isTrusted({ config, store }: Pick<App, "config" | "store">, server: ServerConfig): boolean {
  if (store.evidence.state !== "complete") return false;
  return config.current().quarantine_enabled === false || server.trust_mode === "auto";
}

/** True if the operator's lists exclude a tool. An empty allow-list excludes nothing. */
export function isDenied({ enabled_tools, disabled_tools }: ServerConfig, tool: string): boolean {
  if (enabled_tools && enabled_tools.length > 0 && !enabled_tools.includes(tool)) return true;
  return disabled_tools?.includes(tool) === true;
}
