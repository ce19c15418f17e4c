import type { App } from "../../app.ts";
import { rfc3339 } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { lazy } from "../../base/lazy.ts";
import { revisionOf } from "../../base/revision.ts";
import type { ServerConfig } from "../../config/config-keys.ts";
import { launcher } from "../../extension/launcher.ts";
import { scanStandings } from "../../extension/scan-standings.ts";
import { upstreamCredentials } from "../../extension/upstream-credentials.ts";
import { userConnections } from "../../extension/user-connections.ts";
import { type HealthFacts, serverHealth } from "../../gateway/health.ts";
import { disclosedStatus, isServerHidden, type ReviewState } from "../../policy/hidden.ts";
import type { Caller } from "../../schema/caller.ts";
import { type FieldsWith, fieldsWith } from "../../schema/server-config-fields.ts";
import type { ServerRecord } from "../../schema/server-record.ts";
import type { UpstreamSignIn } from "../../schema/upstream-sign-in.ts";
import { maskServer } from "../../secrets/mask/server.ts";
import { scrubText } from "../../secrets/mask/text.ts";
import { hasConfiguredCredentials } from "../../upstream/configured-credentials.ts";
import { itemCounts, waitingItemsMember } from "./item-counts.ts";
import { listedCount, reviewCounts } from "./review-counts.ts";

/**
 * Returns one server as a caller may see it: definition, state, health (spec 000 §2.3). If users sign in to the server
 * separately, a user sees the state of the user's own connection. Secrets are masked, except for an administrator if
 * `reveal_secret_headers` is set (§2.9 rule 5). Callers other than administrators see no text of a server that waits
 * for review.
 *
 * @throws Fault server_not_found
 */
export function serverRecord(app: App, name: string, caller: Caller): ServerRecord {
  return recordOf(app, name, caller, app.config.current().reveal_secret_headers && caller.tier === "admin");
}

/** Like `serverRecord`, but with all secrets masked for every caller. @throws Fault server_not_found */
export function maskedServerRecord(app: App, name: string, caller: Caller): ServerRecord {
  return recordOf(app, name, caller, false);
}

function recordOf(app: App, name: string, caller: Caller, reveal: boolean): ServerRecord {
  const server = app.config.server(name);
  if (!server) throw new Fault("server_not_found", { server: name });
  const { shown, masked, revision } = definitionOf(server);
  return {
    id: name,
    ...(reveal ? shown() : masked()),
    ...isolationOf(app, server),
    ...state(app, server, caller, reveal),
    revision: revision(),
  };
}

/**
 * Makes the definition of a server once, because the objects of a configuration never change, and masking a thousand
 * servers for each page of a list would take most of its time.
 */
function definitionOf(server: ServerConfig): ShownDefinition {
  let known = definitions.get(server);
  if (!known) {
    known = {
      shown: lazy(() => definition(server)),
      masked: lazy(() => definition(maskServer(server))),
      revision: lazy(() => revisionOf(server)),
    };
    definitions.set(server, known);
  }
  return known;
}

interface ShownDefinition {
  shown(): ReturnType<typeof definition>;
  masked(): ReturnType<typeof definition>;
  revision(): string;
}

const definitions = new WeakMap<ServerConfig, ShownDefinition>();

/** Returns the configured fields by their names in the configuration. */
function definition(server: ServerConfig) {
  const { name, enabled, command, url } = server;
  return {
    name,
    protocol: server.protocol ?? (command && !url ? "stdio" : "http"),
    enabled,
    ...asConfigured(server),
  };
}

/** Returns the fields that the table of fields says to show; a flag that is always shown is false if it is not set. */
function asConfigured(server: ServerConfig): Pick<ServerRecord, keyof FieldsWith<"record">> {
  const fields = fieldsWith("record").flatMap(([key, { record }]) => {
    const value = server[key] ?? (record === "always" ? false : undefined);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(fields);
}

function isolationOf(app: App, server: ServerConfig): Pick<ServerRecord, "isolation_defaults"> {
  const isolation_defaults = app.part(launcher).defaults(server);
  return isolation_defaults ? { isolation_defaults } : {};
}

function state(app: App, server: ServerConfig, caller: Caller, reveal: boolean) {
  const ownState = app.part(userConnections).stateOf(caller, server.name);
  const found = ownState ? ownState.status : app.upstreams.get(server.name)?.status();
  const warnMs = app.config.current().oauth_expiry_warning_hours * 3_600_000;
  const quarantined = app.config.quarantined(server);
  const review = { quarantined, held: server.held === true };
  const status = found && disclosedStatus(found, review, caller);
  const signIn = disclosedSignIn(
    ownState ? ownState.signIn : app.part(upstreamCredentials).status(server.name),
    review,
    caller,
  );
  const counts = reviewCounts(app, server);
  const listed = listedCount(app.catalog.of(server.name));
  const { pending_count: pending, changed_count: changed } = counts;
  const scan = caller.tier === "admin" ? app.part(scanStandings).standingOf(server.name) : undefined;
  const items = itemCounts(app, server);
  const userTools = {
    enabled: server.enabled,
    quarantined,
    held: server.held === true,
    tools: listed,
    pending,
    changed,
    items: { listed: items.listed, waiting: items.pending + items.changed },
  };
  const waiting = { ...counts, ...waitingItemsMember(items) };
  return {
    connected: status?.state === "Ready",
    connecting: status?.state === "Connecting" || status?.state === "Authenticating",
    status: (status?.state ?? "Disconnected").toLowerCase(),
    quarantined,
    ...(server.held === true && { held: true as const }),
    tool_count: listed,
    health: serverHealth({
      ...userTools,
      ...(status && { status }),
      ...(!ownState && signInOptionOf(server)),
      signIn: { ...signIn, now: app.clock.now(), warnMs },
    }),
    ...((waiting.items || Object.values(counts).some((n) => n > 0)) && { quarantine: waiting }),
    ...(scan && { scan }),
    retry_count: status?.attempts ?? 0,
    reconnect_count: status?.reconnects ?? 0,
    ...(status?.lastError !== undefined && {
      last_error: reveal ? status.lastError : scrubText(status.lastError),
    }),
    ...(status?.itemsError !== undefined && {
      items_error: reveal ? status.itemsError : scrubText(status.itemsError),
    }),
    ...(signIn.state !== "none" && {
      authenticated: signIn.state === "signed_in",
      oauth_status: OAUTH_STATUS[signIn.state],
      user_logged_out: signIn.state === "signed_out",
    }),
    ...(signIn.expiresAt !== undefined && { token_expires_at: rfc3339(signIn.expiresAt) }),
    ...(status?.state === "Ready" && status.connectedAt !== undefined && { connected_at: rfc3339(status.connectedAt) }),
    ...(status?.nextAttemptAt !== undefined && { next_attempt_at: rfc3339(status.nextAttemptAt) }),
    ...(status?.serverInfo && { server_info: { ...status.serverInfo } }),
    ...(status?.protocolVersion !== undefined && { protocol_version: status.protocolVersion }),
  };
}

/** Returns whether an administrator can sign in to the server for all users. Nobody can if the proxy itself signs in. */
function signInOptionOf(server: ServerConfig): Pick<HealthFacts, "signInOption"> {
  const { url, command, oauth, auth_broker } = server;
  if (!url || command || oauth?.grant === "client_credentials") return {};
  if (!URL.canParse(url) || hasConfiguredCredentials(server, new URL(url))) return {};
  return { signInOption: oauth || auth_broker ? "configured" : "possible" };
}

/**
 * Removes the reason why a sign-in failed or ended, which may contain text of the server, for callers that must not see
 * it.
 */
function disclosedSignIn(signIn: UpstreamSignIn, review: ReviewState, caller: Caller): UpstreamSignIn {
  if (!isServerHidden(review, caller)) return signIn;
  const { failure: _, ended: __, retry: ___, needs: ____, ...rest } = signIn;
  return rest;
}

/** The values of the reference system, which its clients expect; only `pending` is new. */
const OAUTH_STATUS = {
  none: "none",
  pending: "pending",
  signed_in: "authenticated",
  expired: "expired",
  failed: "error",
  signed_out: "none",
} as const;
