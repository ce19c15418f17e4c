import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import type { App } from "../../core/app.ts";
import { auditTrail } from "../../core/extension/audit-trail.ts";
import { recordActivity } from "../../core/gateway/record-activity.ts";
import type { Actor, Permission } from "../../core/schema/caller.ts";
import { prepareToken } from "../../core/verbs/tokens/create.ts";
import { userTokenName } from "../../core/verbs/tokens/entry.ts";
import { tokenCaller } from "../../core/verbs/tokens/verify.ts";
import { latestTokenEnd } from "../team/tokens.ts";
import { providerRequest } from "./ask-oauth.ts";
import { accountOf, type ClientRequest, findClientRequest } from "./client-request.ts";
import { Fault } from "./faults.ts";
import type { GrantState } from "./grant-state.ts";
import { sweepGrants } from "./grants.ts";
import { CODE_S, INTERACTION_S } from "./provider.ts";
import { scopeText } from "./scopes.ts";
import { listServerSignIns } from "./server-sign-ins.ts";
import { isConfiguredClient, maxLifetimeMs } from "./settings.ts";
import { shownClients } from "./shown-clients.ts";

/** What a person allows a client. */
export interface ClientAnswer {
  readonly permissions: readonly Permission[];
  /** Names of servers; `["*"]` for all. */
  readonly servers: readonly string[];
  readonly profile?: string | undefined;
  readonly days: number;
}

/** What happens after a person's answer. */
interface Answered {
  /** The URL to which the browser must go, when the person has signed in at the servers that need it. */
  readonly returnTo: string;
  /** The number of servers at which the person has to sign in before the client can use them. */
  readonly signIns: number;
}

/** The client has this much longer to redeem its code than the sign-in and the code are valid. (ms) */
const SLACK_MS = 60_000;
/** Length of the random id of a grant. */
const ID_BYTES = 16;

/**
 * Allows a client what a person chose: makes an agent token for it, whose secret the client gets for its code.
 *
 * @throws Fault client_sign_in_over, token_limit, invalid_request
 */
export async function allowClient(
  app: App,
  c: Context,
  uid: string,
  answer: ClientAnswer,
  by: Actor,
): Promise<Answered> {
  const request = await claimRequest(app, c, uid);
  const row = await storeGrant(app, request, answer, by).catch(async (error: unknown) => {
    // The person can answer again.
    await app
      .part(shownClients)
      .put(uid, request.metadata, Math.max(1, request.interaction.exp * 1000 - app.clock.now()));
    throw error;
  });
  const returnTo = await finish(app, c, request, {
    login: { accountId: accountOf(by.caller), remember: false },
    consent: { grantId: row.clientGrant.id },
  });
  return { returnTo, signIns: (await listServerSignIns(app, by.caller, tokenCaller(app, row).scope)).length };
}

/** Rejects a client. */
export async function denyClient(app: App, c: Context, uid: string, by: Actor): Promise<Answered> {
  const request = await claimRequest(app, c, uid);
  recordActivity(app, by, {
    type: "policy_decision",
    status: "rejected",
    metadata: { action: "client_sign_in", reason: "denied", client: request.client },
  });
  const error = { error: "access_denied", error_description: "the person denied access" };
  return { returnTo: await finish(app, c, request, error), signIns: 0 };
}

/** Finds the request that a person answers; of several answers at the same time, one is accepted. */
async function claimRequest(app: App, c: Context, uid: string): Promise<ClientRequest> {
  const request = await findClientRequest(app, c, uid);
  if (!(await app.part(shownClients).take(uid))) throw new Fault("client_sign_in_over");
  return request;
}

async function finish(app: App, c: Context, { opened }: ClientRequest, result: object): Promise<string> {
  const req = providerRequest(app, c, { method: "GET", target: c.req.path });
  return opened.provider.interactionResult(req, undefined as never, result as never, {
    mergeWithLastSubmission: false,
  });
}

async function storeGrant(app: App, request: ClientRequest, answer: ClientAnswer, by: Actor) {
  await sweepGrants(app);
  const { client, resource } = request;
  const permissions = answer.permissions.filter((one) => request.permissions.includes(one));
  if (!permissions.includes("read")) throw new Fault("invalid_request", { reason: "permissions: must include read" });
  const profile = request.profile ?? answer.profile;
  const { user } = by.caller;
  const owner = user && { id: user.id, until: latestTokenEnd(app, by.caller) };
  const hours = Math.min(answer.days * 24, Math.floor(maxLifetimeMs(app) / 3_600_000));
  const wanted = {
    name: freeName(app, client.name, owner?.id),
    allowed_servers: [...answer.servers],
    permissions,
    expires_in: `${hours}h`,
    ...(profile !== undefined && { profile_pin: profile }),
  };
  const { row } = prepareToken(app, wanted, by, owner);
  const now = app.clock.now();
  const state: GrantState = {
    account: accountOf(by.caller),
    resource,
    scope: scopeText(permissions),
    asked: scopeText(request.permissions),
    redeemBy: now + (INTERACTION_S + CODE_S) * 1000 + SLACK_MS,
    // A configured client is known as long as it is configured.
    metadata: isConfiguredClient(app, client.id) ? {} : request.metadata,
    used: [],
  };
  const clientGrant = { id: randomBytes(ID_BYTES).toString("hex"), client, secretUntil: 0, older: [], state };
  const made = { ...row, clientGrant };
  await app.store.tokens.change(row.name, (existing) => {
    if (existing) throw new Fault("already_exists", { what: "agent token", name: wanted.name });
    return made;
  });
  recordActivity(app, by, {
    type: "config_change",
    status: "success",
    metadata: { action: "token_create", token: row.name, client },
  });
  const { requestId, clientIp } = by.origin;
  app.part(auditTrail).recordSignIn({ surface: "login", outcome: "success", requestId, clientIp, user });
  return made;
}

/** Returns a name for the token of a client that no other token has: `claude`, `claude-2`. */
function freeName({ store }: App, clientName: string, owner: string | undefined): string {
  const base =
    clientName
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-+|-+$/g, "")
      .slice(0, 40) || "client";
  const stem = RESERVED.has(base) ? `${base}-client` : base;
  for (let n = 1; ; n++) {
    const name = n === 1 ? stem : `${stem}-${n}`;
    if (!store.tokens.get(owner === undefined ? name : userTokenName(owner, name))) return name;
  }
}

/** Names that activity records use for other callers. */
const RESERVED = new Set(["admin", "anonymous", "internal", "stdio"]);
