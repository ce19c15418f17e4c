import type { Context } from "hono";
import type { Interaction } from "oidc-provider";
import type { App } from "../../core/app.ts";
import type { JsonObject } from "../../core/base/json-object.ts";
import { inScope, narrowScope } from "../../core/policy/scope.ts";
import type { Caller, Permission } from "../../core/schema/caller.ts";
import type { GrantClient } from "../../core/schema/token-grant.ts";
import { providerRequest } from "./ask-oauth.ts";
import { Fault } from "./faults.ts";
import type { GrantRow } from "./grant-state.ts";
import { findGrant } from "./grants.ts";
import { ADMIN_ACCOUNT, type OAuthProvider, oauthProvider } from "./provider.ts";
import { findResource } from "./resources.ts";
import { knownScopes, permissionsOf } from "./scopes.ts";
import { maxLifetimeMs, requireOAuth } from "./settings.ts";
import { shownClients } from "./shown-clients.ts";

/** A client that waits for a person's answer. */
export interface ClientRequest {
  readonly opened: OAuthProvider;
  readonly interaction: Interaction;
  readonly client: GrantClient;
  /** The host whose metadata document the request names; it proves the client only if `client.host` is set too. */
  readonly publisher: string | undefined;
  readonly metadata: JsonObject;
  readonly resource: string;
  readonly profile: string | undefined;
  readonly permissions: readonly Permission[];
}

/**
 * Finds the request of a client that this browser brought.
 *
 * @throws Fault client_sign_in_over if another browser brought it, if it is answered, or after some minutes
 */
export async function findClientRequest(app: App, c: Context, uid: string): Promise<ClientRequest> {
  const { opened, interaction } = await readInteraction(app, c, uid);
  if (!interaction || interaction.result !== undefined) throw new Fault("client_sign_in_over");
  const { client_id = "", resource, scope, redirect_uri } = interaction.params as Record<string, string | undefined>;
  const metadata = await app.part(shownClients).get(uid);
  const endpoint = findResource(app, resource ?? "");
  if (!metadata || !endpoint) throw new Fault("client_sign_in_over");
  const name = typeof metadata.client_name === "string" ? metadata.client_name : undefined;
  return {
    opened,
    interaction,
    client: clientOf(client_id, name, redirectOf(redirect_uri ?? "").isLocal),
    publisher: publisherOf(client_id),
    metadata,
    resource: resource!,
    profile: endpoint.profile,
    permissions: permissionsOf(knownScopes(scope)),
  };
}

/** A client that a person has allowed, and that has not got its code yet. */
interface AllowedRequest {
  readonly grant: GrantRow;
  /** The URL that leads the browser back to the client with a code. The code is made when the browser gets there. */
  readonly returnTo: string;
}

/**
 * Finds the request that this browser brought and this person allowed.
 *
 * @throws Fault client_sign_in_over if there is none, or if its time is over
 */
export async function findAllowedRequest(app: App, c: Context, uid: string, person: Caller): Promise<AllowedRequest> {
  const { interaction } = await readInteraction(app, c, uid);
  const grant = findGrant(app, interaction?.result?.consent?.grantId ?? "");
  if (!interaction || !grant || grant.state.account !== accountOf(person)) throw new Fault("client_sign_in_over");
  return { grant, returnTo: interaction.returnTo };
}

/** The subject of a person's grants. */
export const accountOf = ({ user }: Caller): string => user?.id ?? ADMIN_ACCOUNT;

async function readInteraction(app: App, c: Context, uid: string) {
  requireOAuth(app);
  const opened = await app.part(oauthProvider)();
  const found = await opened.provider
    .interactionDetails(providerRequest(app, c, { method: "GET", target: c.req.path }), undefined as never)
    .catch(() => undefined);
  return { opened, interaction: found?.uid === uid ? found : undefined };
}

/**
 * Returns what identifies a client. A metadata document proves its host, if the answer goes to that document's own web
 * page. An answer to this computer proves nothing, because any program there can use the document's URL; everything
 * else is only what the client states.
 */
function clientOf(id: string, name: string | undefined, isLocal: boolean): GrantClient {
  const shown =
    name
      ?.replaceAll(/[\p{C}\p{Z}]+/gu, " ")
      .trim()
      .slice(0, 64) || "unnamed client";
  const publisher = publisherOf(id);
  return publisher === undefined || isLocal ? { id, name: shown } : { id, name: shown, host: publisher };
}

const publisherOf = (id: string) => (id.startsWith("https://") ? new URL(id).host : undefined);

/** Where an answer goes: the host or the app, and whether that is a program on the person's computer. */
function redirectOf(uri: string): { shown: string; isLocal: boolean } {
  const { protocol, host } = new URL(uri);
  const isWeb = protocol === "https:" || protocol === "http:";
  return { shown: isWeb ? host : protocol, isLocal: protocol !== "https:" };
}

/** What the consent page shows. */
export function describeRequest(
  app: App,
  caller: Caller,
  { client, publisher, profile, permissions, interaction }: ClientRequest,
) {
  const { profiles, mcpServers } = app.config.current();
  const { shown, isLocal } = redirectOf(String(interaction.params.redirect_uri));
  const pinned = profiles.find(({ name }) => name === profile);
  const scope = pinned ? narrowScope(caller.scope, pinned) : caller.scope;
  return {
    client: { id: client.id, name: client.name, ...(publisher !== undefined && { host: publisher }) },
    is_proven: client.host !== undefined,
    returns_to: shown,
    is_local: isLocal,
    person: caller.name,
    permissions: [...permissions],
    servers: mcpServers.map(({ name }) => name).filter((name) => inScope(scope, name)),
    profiles: profile === undefined ? profiles.map(({ name }) => name) : [],
    ...(profile !== undefined && { profile }),
    max_lifetime_days: Math.max(1, Math.floor(maxLifetimeMs(app) / 86_400_000)),
    ...latestOf(app, caller, client),
  };
}

/** What the same person allowed the same client last, so that the page can propose it again. */
function latestOf({ store }: App, caller: Caller, { id }: GrantClient) {
  const owner = caller.user?.id;
  const [latest] = store.tokens
    .all()
    .filter((row) => row.clientGrant?.client.id === id && row.owner === owner)
    .sort((a, b) => b.createdAt - a.createdAt);
  return (
    latest && {
      before: {
        at: new Date(latest.createdAt).toISOString(),
        permissions: [...latest.permissions],
        servers: [...latest.servers],
        ...(latest.profile !== undefined && { profile: latest.profile }),
      },
    }
  );
}
