import type { JsonObject } from "../../core/base/json-object.ts";
import { isJsonObject } from "../../core/base/json-object.ts";
import type { TokenRow } from "../../core/schema/token.ts";
import type { TokenGrant } from "../../core/schema/token-grant.ts";

/** What the authorization server stores with an agent token (`TokenGrant.state`). */
export interface GrantState {
  /** The subject: `admin`, or the id of a user. */
  readonly account: string;
  /** The endpoint for which the client asked. */
  readonly resource: string;
  /** The granted scopes. */
  readonly scope: string;
  /** The scopes for which the client asked. */
  readonly asked: string;
  /** Until then the client must redeem the code; absent: it has. (ms) */
  readonly redeemBy?: number;
  /**
   * The client's metadata, so that the client can renew its token while its document is not available; empty for a
   * configured client.
   */
  readonly metadata: JsonObject;
  readonly refresh?: RefreshState;
  /** Hashes of the last used refresh tokens, newest first. If one is sent again, somebody has stolen it. */
  readonly used: readonly string[];
  /** When the newest of them was used first; soon afterwards it may be sent again. (ms) */
  readonly usedAt?: number;
  /** Set if the identity provider's assertions gave the token: those that could be sent again. (ms) */
  readonly assertions?: readonly { readonly id: string; readonly until: number }[];
}

/** The refresh token, of which only the hash is stored. */
interface RefreshState {
  readonly hash: string;
  readonly payload: JsonObject;
}

/** An agent token that a client got by a sign-in. */
export interface GrantRow {
  readonly row: TokenRow & { readonly clientGrant: TokenGrant };
  readonly state: GrantState;
}

/** Returns the token with its state; undefined for other tokens, and if the state is damaged. */
export function grantRow(row: TokenRow | undefined): GrantRow | undefined {
  if (!row?.clientGrant || !isGrantState(row.clientGrant.state)) return undefined;
  return { row: { ...row, clientGrant: row.clientGrant }, state: row.clientGrant.state };
}

function isGrantState(state: unknown): state is GrantState {
  return (
    isJsonObject(state) &&
    typeof state.account === "string" &&
    typeof state.resource === "string" &&
    typeof state.scope === "string" &&
    typeof state.asked === "string" &&
    isJsonObject(state.metadata) &&
    Array.isArray(state.used)
  );
}
