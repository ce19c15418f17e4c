import { randomBytes } from "node:crypto";
import { Fault, reasonOf } from "../../core/base/fault.ts";
import { environmentSwitch } from "../../core/config/env-overrides.ts";
import { addressFor, scopesFor } from "./address.ts";
import type { Credentials, Pending } from "./credentials.ts";
import { discover } from "./discover.ts";
import { type FlowName, flowFault } from "./flow-fault.ts";
import { FLOW_MS } from "./flows.ts";
import type { Placed } from "./holders.ts";
import type { Started, StartOptions } from "./oauth.ts";
import { nameOf } from "./oauth-context.ts";
import type { Parts } from "./parts.ts";
import { clientFor } from "./register.ts";
import { type Settings, settingsOf } from "./settings.ts";
import { withDeadline } from "./with-deadline.ts";

/** Timeout of all steps before the browser opens (ms). */
const START_MS = 45_000;

/**
 * Begins a sign-in: discovers the authorization server, registers the proxy as a client if needed, and stores the state
 * that the response is checked against.
 *
 * @throws Fault server_not_found, metadata_discovery_failed, client_id_required, dcr_failed, oauth_not_supported, cancelled
 */
export async function beginSignIn(parts: Parts, server: string, how: StartOptions): Promise<Started> {
  const { clock, closing, config, flows, holders, log } = parts;
  const { owner = "", correlationId } = how;
  const entry = config.server(server);
  if (!entry) throw new Fault("server_not_found", { server });
  const name = nameOf(parts, server, correlationId);
  const holder = holders.of(server, owner);
  const { signal, cancel } = withDeadline(clock, START_MS, [how.signal, closing]);
  try {
    if (environmentSwitch(parts.env, "SERVICE_DISABLE_OAUTH")) throw switchedOff(name);
    if (entry.oauth?.grant === "client_credentials") throw signsInByItself(name);
    const settings = await settingsOf(parts, entry, name);
    const pending = await prepare(parts, { holder, name, settings, how, signal });
    signal.throwIfAborted();
    const { over } = await flows.open(holder, name, pending);
    const { issuer } = pending.authority;
    log.info(`sign-in to server "${server}" started at ${issuer}`, { server, correlation_id: correlationId });
    const authUrl = addressFor(pending, settings);
    return { authUrl, redirectUri: pending.client.redirect_uri, expiresAt: pending.expires_at, issuer, over };
  } catch (error) {
    if (how.signal.aborted || closing.aborted) throw new Fault("cancelled");
    const fault = signal.aborted && !(error instanceof Fault) ? late(name, error) : error;
    // A server without a sign-in is not unhealthy because somebody tried one.
    if (fault instanceof Fault && fault.code !== "oauth_not_supported" && "suggestion" in fault.facts) {
      const { reason, suggestion } = fault.facts;
      flows.failed(holder, name, { reason: String(reason), suggestion: String(suggestion), errorType: fault.code });
    }
    throw fault;
  } finally {
    cancel();
  }
}

interface Beginning {
  readonly holder: Placed;
  readonly name: FlowName;
  readonly settings: Settings;
  readonly how: StartOptions;
  readonly signal: AbortSignal;
}

/**
 * Discovers the authorization server and the client, and creates the state that proves that a response belongs to this
 * sign-in.
 */
async function prepare(parts: Parts, { holder, name, settings, how, signal }: Beginning): Promise<Pending> {
  const { clock, egress } = parts;
  const before = await readOrDiscard(parts, holder);
  const redirectUri = await how.redirectUri({
    configured: settings.redirectUri,
    before: before?.client?.redirect_uri,
    registersItself: settings.clientId === undefined && settings.clientMetadataUrl === undefined,
    name,
  });
  const authority = await discover({ egress, clock, settings, name, challenge: holder.challenge(), signal });
  const scopes = settings.scopes ?? scopesFor(authority.scopes, before);
  const about = { egress, authority, settings, name, redirectUri, scopes, signal, now: clock.now() };
  const client = await clientFor(about, before);
  return {
    state: randomBytes(32).toString("base64url"),
    verifier: randomBytes(48).toString("base64url"),
    correlation_id: how.correlationId,
    expires_at: clock.now() + FLOW_MS,
    by: how.by,
    authority,
    client,
    ...(scopes?.length && { scope: scopes.join(" ") }),
  };
}

/** Reads the stored credentials. If they cannot be decrypted, the new sign-in replaces them. */
function readOrDiscard({ log }: Parts, holder: Placed): Promise<Credentials | undefined> {
  return holder.read().catch((error: unknown) => {
    log.warn(`server "${holder.place.server}": ${reasonOf(error)}; it is replaced`);
    holder.discard();
    return undefined;
  });
}

function switchedOff(name: FlowName): Fault {
  const reason = "sign-in is disabled in the environment of the proxy";
  return flowFault("oauth_not_supported", name, reason, "start the proxy without SERVICE_DISABLE_OAUTH");
}

function signsInByItself(name: FlowName): Fault {
  const { server } = name;
  const reason = `the proxy signs in to server "${server}" as itself (oauth.grant is client_credentials)`;
  const suggestion = `nobody needs to; try it again with: proxy upstream restart ${server}`;
  return flowFault("oauth_not_supported", name, reason, suggestion);
}

function late(name: FlowName, cause: unknown): Fault {
  const reason = "the sign-in server or the server itself did not respond in time";
  return flowFault("metadata_discovery_failed", name, reason, "try again later", { cause });
}
