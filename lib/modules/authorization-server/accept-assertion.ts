import { createHash, randomBytes } from "node:crypto";
import type { errors as Errors, KoaContextWithOIDC, Provider } from "oidc-provider";
import type { App } from "../../core/app.ts";
import { Fault, reasonOf } from "../../core/base/fault.ts";
import { requestId as newRequestId } from "../../core/base/id.ts";
import { auditTrail } from "../../core/extension/audit-trail.ts";
import { recordActivity } from "../../core/gateway/record-activity.ts";
import type { Actor, Permission } from "../../core/schema/caller.ts";
import { prepareToken } from "../../core/verbs/tokens/create.ts";
import { userTokenName } from "../../core/verbs/tokens/entry.ts";
import { userCaller } from "../team/caller.ts";
import { latestTokenEnd } from "../team/tokens.ts";
import { type GrantRow, grantRow } from "./grant-state.ts";
import { JWT_BEARER } from "./metadata.ts";
import type { RequestNote } from "./record-refusals.ts";
import { knownScopes, permissionsOf, scopeText } from "./scopes.ts";
import { type AssertionClient, assertionClient, maxLifetimeMs } from "./settings.ts";
import { verifyAssertion } from "./verify-assertion.ts";

/** Maximum number of valid assertions about one person for one client, whose ids are remembered. */
const MAX_ASSERTIONS = 200;

type Asserted = Awaited<ReturnType<typeof verifyAssertion>>;

/**
 * Lets configured clients get the agent token of a person by an assertion of the identity provider (ID-JAG), without a
 * consent. There is one agent token for each person, client and endpoint. A revoked one stays revoked, whatever the
 * identity provider asserts, until it is removed.
 */
export function acceptAssertions(app: App, provider: Provider, errors: typeof Errors): void {
  const handle = async (ctx: KoaContextWithOIDC) => {
    const { client, params } = ctx.oidc;
    const settings = assertionClient(app, client?.clientId);
    if (!client || !settings) throw new errors.UnauthorizedClient("the client has no setting id_jag");
    const refuse = (error: unknown) => {
      const reason = reasonOf(error);
      if (error instanceof Fault) throw new errors.CustomOIDCProviderError("temporarily_unavailable", reason);
      // The client has proven itself, so it may know the reason.
      throw Object.assign(new errors.InvalidGrant(reason), { error_description: reason });
    };
    const asserted = await verifyAssertion(app, String(params?.assertion ?? ""), client.clientId).catch(refuse);
    if (params?.resource !== undefined && params.resource !== asserted.resource)
      throw new errors.InvalidTarget("the assertion is for another resource");
    const requested = params?.scope === undefined ? undefined : String(params.scope);
    const permissions = permissionsFor(settings, asserted.scope, requested);
    if (!permissions.includes("read")) throw new errors.InvalidScope("the scope must contain mcp:read", "");
    const note = (ctx.req as { note?: RequestNote }).note;
    const id = await storeGrant(app, { settings, asserted, permissions, note }).catch(refuse);
    const scope = scopeText(permissions);
    const token = new provider.AccessToken({
      accountId: asserted.user.id,
      client,
      grantId: id,
      gty: JWT_BEARER,
      scope,
      aud: asserted.resource,
    } as never);
    const access_token = await token.save();
    ctx.body = { access_token, token_type: "Bearer", expires_in: token.expiration, scope };
  };
  provider.registerGrantType(JWT_BEARER, handle as never, ["assertion", "scope", "resource"]);
}

/** The permissions that the settings, the identity provider and the client agree on. */
function permissionsFor(
  { permissions }: AssertionClient,
  asserted: string | undefined,
  requested: string | undefined,
): Permission[] {
  const limits = [asserted, requested].map((scope) => permissionsOf(knownScopes(scope)));
  return permissions.filter((one) => limits.every((limit) => limit.includes(one)));
}

interface Granting {
  readonly settings: AssertionClient;
  readonly asserted: Asserted;
  readonly permissions: readonly Permission[];
  readonly note: RequestNote | undefined;
}

/**
 * Stores the person's agent token for the client, or finds it, and remembers the assertion, in one step: of two requests
 * with the same assertion, at whatever replica, one fails.
 *
 * @returns the id of the grant
 * @throws Error that says why there is none
 */
async function storeGrant(app: App, granting: Granting): Promise<string> {
  const { settings, asserted, permissions, note } = granting;
  const { user, resource, profile } = asserted;
  const by = actorFor(app, granting);
  const now = app.clock.now();
  const owner = { id: user.id, until: latestTokenEnd(app, by.caller) };
  const name = nameFor(settings.client_id, resource);
  const expires_in = `${Math.floor(maxLifetimeMs(app) / 3_600_000)}h`;
  const request = {
    name,
    permissions: [...permissions],
    expires_in,
    ...(profile !== undefined && { profile_pin: profile }),
  };
  const isNew = app.store.tokens.get(userTokenName(user.id, name)) === undefined;
  const made = isNew ? prepareToken(app, request, by, owner).row : undefined;
  const client = { id: settings.client_id, name: settings.client_name ?? settings.client_id };
  let id = "";
  await app.store.tokens.change(userTokenName(user.id, name), (existing) => {
    const found = grantRow(existing);
    const row = existing ?? made;
    if (!row || (existing && found?.row.clientGrant.client.id !== client.id))
      throw new Error("the agent token of this client is being changed; try again");
    const used = usedIn(found, asserted, now);
    id = found?.row.clientGrant.id ?? randomBytes(16).toString("hex");
    const scope = scopeText(permissions);
    const state = { account: user.id, resource, scope, asked: scope, metadata: {}, used: [], assertions: used };
    return {
      ...row,
      servers: [...settings.servers],
      permissions: [...permissions],
      expiresAt: Math.min(now + maxLifetimeMs(app), owner.until),
      clientGrant: { secretUntil: 0, older: [], ...found?.row.clientGrant, id, client, state },
    };
  });
  if (isNew)
    recordActivity(app, by, {
      type: "config_change",
      status: "success",
      metadata: { action: "token_create", token: userTokenName(user.id, name), client, by: "id_jag" },
    });
  const { requestId = newRequestId(undefined), clientIp } = note ?? {};
  app.part(auditTrail).recordSignIn({ surface: "login", outcome: "success", requestId, clientIp, user });
  return id;
}

/** The remembered assertions with this one. @throws Error if the token is revoked, or the assertion was used before */
function usedIn(found: GrantRow | undefined, { id, until }: Asserted, now: number) {
  if (found?.row.revokedAt !== undefined)
    throw new Error("the agent token of this client was revoked; remove it to let the client sign in again");
  const used = (found?.state.assertions ?? []).filter((one) => one.until > now);
  if (used.some((one) => one.id === id)) throw new Error("the assertion was used before");
  if (used.length >= MAX_ASSERTIONS) throw new Error("too many assertions; use the access token until it expires");
  return [...used, { id, until }];
}

/** The person, as whom the token is made. */
function actorFor(app: App, { asserted: { user }, note }: Granting): Actor {
  const now = app.clock.now();
  const shown = { by: "bearer" as const, signedInAt: user.signedInAt, issuedAt: now, until: now + 60_000 };
  const caller = userCaller(app.config.current(), user, shown);
  if (!caller) throw new Error("the account of the person has no access");
  const { requestId = newRequestId(undefined), clientIp } = note ?? {};
  return { caller, origin: { source: "api", requestId, ...(clientIp !== undefined && { clientIp }) } };
}

/** The name of the token, the same for each assertion about this client and endpoint. */
function nameFor(clientId: string, resource: string): string {
  const mark = createHash("sha256").update(`${clientId}\0${resource}`).digest("hex").slice(0, 8);
  const stem = clientId
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40);
  return `${stem || "client"}-${mark}`;
}
