import { createHmac } from "node:crypto";
import type { AdapterPayload, errors as Errors } from "oidc-provider";
import type { App } from "../../core/app.ts";
import type { JsonObject } from "../../core/base/json-object.ts";
import { tokenHash } from "../../core/verbs/tokens/secret.ts";
import type { GrantState } from "./grant-state.ts";
import { changeGrant, findByRefresh, revokeGrant } from "./grants.ts";

/**
 * How long the last used refresh token may be used again. Several processes of a client often share one refresh token and
 * renew it at the same moment, and a response can get lost. (ms)
 */
export const OVERLAP_MS = 60_000;
/** Number of used refresh tokens that are recognised. */
const MAX_USED = 50;

/**
 * Returns the refresh token that replaces another one. It is always the same, so that the processes which renew one token
 * at once all get the same new one: of two copies in different hands, one is used too late and ends both.
 *
 * @param key secret of this installation
 */
export const successorOf = (key: Buffer, token: string): string =>
  createHmac("sha256", key).update(`refresh token\0${token}`).digest("base64url");

/** Stores the refresh tokens of grants, for the provider. */
export function refreshTokenAdapter(app: App, errors: typeof Errors) {
  const isRepeated = ({ used, usedAt = 0 }: GrantState, hash: string) =>
    used[0] === hash && app.clock.now() < usedAt + OVERLAP_MS;
  return {
    async upsert(token: string, payload: AdapterPayload) {
      const { jti: _, ...rest } = payload;
      const refresh = { hash: tokenHash(token), payload: rest as JsonObject };
      const isDone = await changeGrant(app, payload.grantId!, ({ state }) =>
        // A repeated renewal can be overtaken by the use of what the first one gave.
        state.used.includes(refresh.hash) ? undefined : { state: { ...state, refresh } },
      );
      if (!isDone) throw new errors.InvalidGrant("the grant has ended, or the refresh token was used meanwhile");
    },
    async find(token: string) {
      const hash = tokenHash(token);
      const found = findByRefresh(app, hash);
      const refresh = found?.state.refresh;
      if (!found || !refresh) return undefined;
      const isUsed = found.state.used.includes(hash) && !isRepeated(found.state, hash);
      return {
        ...refresh.payload,
        jti: token,
        ...(isUsed && { consumed: Math.floor(app.clock.now() / 1000) }),
      } as AdapterPayload;
    },
    async consume(token: string) {
      const hash = tokenHash(token);
      const id = findByRefresh(app, hash)?.row.clientGrant.id;
      if (id === undefined) throw new errors.InvalidGrant("the grant has ended");
      const isDone = await changeGrant(app, id, ({ state }) => {
        if (isRepeated(state, hash)) return { state };
        if (state.used.includes(hash)) return undefined;
        return { state: { ...state, used: [hash, ...state.used].slice(0, MAX_USED), usedAt: app.clock.now() } };
      });
      if (isDone) return;
      await revokeGrant(app, id);
      throw new errors.InvalidGrant("the refresh token was used twice");
    },
  };
}
