import type { Adapter, AdapterPayload, errors as Errors } from "oidc-provider";
import type { App } from "../../core/app.ts";
import type { JsonObject } from "../../core/base/json-object.ts";
import { shortLivedValues } from "../../core/extension/short-lived-values.ts";
import { tokenHash } from "../../core/verbs/tokens/secret.ts";
import { changeGrant, findByClient, findGrant, revokeGrant } from "./grants.ts";
import { refreshTokenAdapter } from "./refresh-tokens.ts";
import { registeredClients } from "./registered-clients.ts";

/** Maximum number of sign-ins under way, of their browser sessions and of their codes. */
const MAX_PENDING = 1000;
/** Number of earlier access tokens of a client that stay valid until they expire. */
const MAX_OLDER = 10;

/** The part of the provider's adapter that this configuration uses. */
type ModelAdapter = Pick<Adapter, "upsert" | "find" | "consume" | "destroy" | "revokeByGrantId"> & {
  findByUid(): Promise<undefined>;
  findByUserCode(): Promise<undefined>;
};

const NONE = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

/**
 * Returns where the provider stores its records. What must outlive a restart is in the store: registered clients, and
 * grants with their tokens, which are agent tokens. Sign-ins under way are short-lived values: in memory, or in the
 * database that replicas share.
 *
 * @param isSignIn whether the request under way shows a client to a person, so that it needs the newest metadata
 */
export function createAdapter(app: App, isSignIn: () => boolean, errors: typeof Errors): (model: string) => Adapter {
  const models: Readonly<Record<string, ModelAdapter>> = {
    Client: clientAdapter(app, isSignIn),
    Grant: grantAdapter(app),
    AccessToken: accessTokenAdapter(app, errors),
    RefreshToken: { ...NONE, ...refreshTokenAdapter(app, errors) },
  };
  return (model) => {
    const adapter = models[model] ? caughtUp(app, models[model]) : shortLivedAdapter(app, model, errors);
    return inProviderTime(app, adapter) as Adapter;
  };
}

/** What another replica has just stored is found, too: the next request of a client may come to this one. */
function caughtUp({ store }: App, adapter: ModelAdapter): ModelAdapter {
  const { catchUp } = store;
  if (!catchUp) return adapter;
  return {
    ...adapter,
    async find(id) {
      const found = await adapter.find(id);
      if (found) return found;
      await catchUp();
      return await adapter.find(id);
    },
  };
}

/** Names of the members of oidc-provider's records that hold a time. (seconds) */
const TIMES = ["iat", "exp", "iiat", "loginTs", "consumed"] as const;

/** The provider compares times with the clock of this machine; what is stored has the time of all replicas. */
function inProviderTime({ store }: App, adapter: ModelAdapter): ModelAdapter {
  const offset = () => Math.round((store.sharedClock?.offsetMs() ?? 0) / 1000);
  return {
    ...adapter,
    upsert: (id, payload, expiresIn) => adapter.upsert(id, shifted(payload, offset()), expiresIn),
    async find(id) {
      const payload = await adapter.find(id);
      return payload && shifted(payload, -offset());
    },
  };
}

function shifted(payload: AdapterPayload, bySeconds: number): AdapterPayload {
  if (bySeconds === 0) return payload;
  const times = TIMES.flatMap((name) => {
    const time = payload[name];
    return typeof time === "number" ? [[name, time + bySeconds]] : [];
  });
  return { ...payload, ...Object.fromEntries(times) };
}

function clientAdapter(app: App, isSignIn: () => boolean): ModelAdapter {
  return {
    ...NONE,
    upsert: (id, payload) => app.part(registeredClients).add(id, payload as JsonObject),
    async find(id) {
      const isDocument = id.startsWith("https://");
      const granted = isDocument && isSignIn() ? undefined : findByClient(app, id)?.state.metadata;
      return ((granted?.client_id === id ? granted : undefined) ??
        (isDocument ? undefined : await app.part(registeredClients).find(id))) as AdapterPayload;
    },
  };
}

/** The grant itself was stored when the person allowed it (`answer-client.ts`). */
function grantAdapter(app: App): ModelAdapter {
  return {
    ...NONE,
    async find(id) {
      const found = findGrant(app, id);
      if (!found) return undefined;
      const { row, state } = found;
      return {
        jti: id,
        kind: "Grant",
        iat: seconds(row.createdAt),
        exp: seconds(row.expiresAt),
        accountId: state.account,
        clientId: row.clientGrant.client.id,
        resources: { [state.resource]: state.scope },
      };
    },
    destroy: (id) => revokeGrant(app, id),
  };
}

/** The access tokens of a grant are the secrets of its agent token. */
function accessTokenAdapter(app: App, errors: typeof Errors): ModelAdapter {
  return {
    ...NONE,
    async upsert(secret, payload, expiresIn = 0) {
      const now = app.clock.now();
      const hash = tokenHash(secret);
      const isDone = await changeGrant(app, payload.grantId!, ({ row, state: { redeemBy: _, ...state } }) => ({
        state,
        row: {
          hash,
          prefix: secret.slice(0, 12),
          clientGrant: {
            ...row.clientGrant,
            secretUntil: Math.min(now + expiresIn * 1000, row.expiresAt),
            older: [{ hash: row.hash, until: row.clientGrant.secretUntil }, ...row.clientGrant.older]
              .filter(({ until }) => until > now)
              .slice(0, MAX_OLDER),
          },
        },
      }));
      // The client must sign in again.
      if (!isDone) throw new errors.InvalidGrant("the grant has ended");
    },
    async find(secret) {
      const row = app.store.tokens.byHash(tokenHash(secret));
      const found = row?.clientGrant && findGrant(app, row.clientGrant.id);
      if (!found) return undefined;
      return {
        jti: secret,
        kind: "AccessToken",
        format: "opaque",
        exp: seconds(found.row.clientGrant.secretUntil),
        accountId: found.state.account,
        clientId: found.row.clientGrant.client.id,
        grantId: found.row.clientGrant.id,
        aud: found.state.resource,
        scope: found.state.scope,
      };
    },
    revokeByGrantId: (id) => revokeGrant(app, id),
  };
}

/** Stores records of one kind until they expire. */
function shortLivedAdapter(app: App, model: string, errors: typeof Errors): ModelAdapter {
  const records = app.part(shortLivedValues)({ name: `oauth ${model}`, max: MAX_PENDING });
  return {
    ...NONE,
    async upsert(id, payload, expiresIn = 0) {
      await records.put(id, payload, { lifetimeMs: Math.max(1, expiresIn * 1000), group: payload.grantId });
    },
    find: async (id) => (await records.get(id)) as AdapterPayload | undefined,
    async consume(id) {
      const isDone = await records.change(id, (record) => {
        const { consumed, ...rest } = record as AdapterPayload;
        return consumed === undefined ? { ...rest, consumed: seconds(app.clock.now()) } : undefined;
      });
      if (isDone) return;
      // Two requests with the same code arrived at once; one of them may be a thief's.
      const { grantId } = ((await records.get(id)) ?? {}) as AdapterPayload;
      if (grantId !== undefined) await revokeGrant(app, grantId);
      throw new errors.InvalidGrant(`the ${model} was used twice, or has expired`);
    },
    async destroy(id) {
      await records.take(id);
    },
    revokeByGrantId: (grantId) => records.removeGroup(grantId),
  };
}

const seconds = (ms: number) => Math.floor(ms / 1000);
