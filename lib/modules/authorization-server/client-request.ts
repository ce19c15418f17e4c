import type { Context } from "hono";
import type { Interaction } from "oidc-provider";
import type { App } from "../../core/app.ts";
import { inScope, narrowScope } from "../../core/policy/scope.ts";
import type { Caller, Permission } from "../../core/schema/caller.ts";
import type { GrantClient } from "../../core/schema/token-grant.ts";
import { providerRequest } from "./ask-oauth.ts";
import { Fault } from "./faults.ts";
import { type OAuthProvider, oauthProvider } from "./provider.ts";
import { findResource } from "./resources.ts";
import { knownScopes, permissionsOf } from "./scopes.ts";
import { maxLifetimeMs, requireOAuth } from "./settings.ts";

/** A client that waits for a person's answer. */
export interface ClientRequest {
  readonly opened: OAuthProvider;
  readonly interaction: Interaction;
  readonly client: GrantClient;
  readonly metadata: Record<string, unknown>;
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
  requireOAuth(app);
  const opened = await app.part(oauthProvider);
  const interaction = await opened.provider
    .interactionDetails(providerRequest(app, c, { method: "GET", target: c.req.path }), undefined as never)
    .catch(() => undefined);
  if (interaction?.uid !== uid || interaction.result !== undefined) throw new Fault("client_sign_in_over");
  const { client_id, resource, scope } = interaction.params as Record<string, string | undefined>;
  const found = await opened.provider.Client.find(client_id ?? "");
  const endpoint = findResource(app, resource ?? "");
  if (!found || !endpoint) throw new Fault("client_sign_in_over");
  return {
    opened,
    interaction,
    client: clientOf(found.clientId, found.clientName),
    metadata: { ...found.metadata() },
    resource: resource!,
    profile: endpoint.profile,
    permissions: permissionsOf(knownScopes(scope)),
  };
}

/**
 * Returns what identifies a client. The URL of a metadata document proves the host that serves it; everything else is
 * only what the client states.
 */
function clientOf(id: string, name: string | undefined): GrantClient {
  const shown =
    name
      ?.replaceAll(/[\p{C}\p{Z}]+/gu, " ")
      .trim()
      .slice(0, 64) || "unnamed client";
  return id.startsWith("https://") ? { id, name: shown, host: new URL(id).host } : { id, name: shown };
}

/** What the consent page shows. */
export function describeRequest(
  app: App,
  caller: Caller,
  { client, profile, permissions, interaction }: ClientRequest,
) {
  const { profiles, mcpServers } = app.config.current();
  const redirect = new URL(String(interaction.params.redirect_uri));
  const pinned = profiles.find(({ name }) => name === profile);
  const scope = pinned ? narrowScope(caller.scope, pinned) : caller.scope;
  const isWeb = redirect.protocol === "https:" || redirect.protocol === "http:";
  return {
    client: { ...client },
    returns_to: isWeb ? redirect.host : redirect.protocol,
    is_local: !isWeb || redirect.protocol === "http:",
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
