import type { App } from "../../core/app.ts";
import { requestId } from "../../core/base/id.ts";
import { type Actor, INTERNAL_CALLER } from "../../core/schema/caller.ts";
import type { TokenRow } from "../../core/schema/token.ts";
import { removeToken } from "../../core/verbs/tokens/remove.ts";
import { revokeToken } from "../../core/verbs/tokens/revoke.ts";
import { type GrantRow, type GrantState, grantRow } from "./grant-state.ts";

type GrantApp = Pick<App, "store" | "clock">;

const DAY_MS = 86_400_000;
/** How long an ended token of a client stays in the list. (ms) */
const ENDED_FOR_MS = 7 * DAY_MS;

/** All agent tokens that clients got by a sign-in. */
const grantRows = ({ store }: GrantApp): GrantRow[] => store.tokens.all().flatMap((row) => grantRow(row) ?? []);

/** Returns the grant with this id, unless it has ended. */
export function findGrant(app: GrantApp, id: string): GrantRow | undefined {
  return grantRows(app).find(({ row }) => row.clientGrant.id === id && isLive(app, row));
}

/** Returns the live grant to which a current or used refresh token with this hash belongs. */
export function findByRefresh(app: GrantApp, hash: string): GrantRow | undefined {
  return grantRows(app).find(
    ({ row, state }) => isLive(app, row) && (state.refresh?.hash === hash || state.used.includes(hash)),
  );
}

/** Returns the newest live grant of a client, which has the newest metadata. */
export function findByClient(app: GrantApp, clientId: string): GrantRow | undefined {
  return grantRows(app)
    .filter(({ row }) => row.clientGrant.client.id === clientId && isLive(app, row))
    .reduce<GrantRow | undefined>((a, b) => (a && a.row.createdAt >= b.row.createdAt ? a : b), undefined);
}

const isLive = ({ clock }: GrantApp, { revokedAt, expiresAt }: TokenRow) =>
  revokedAt === undefined && clock.now() < expiresAt;

/**
 * Changes a grant that has not ended.
 *
 * @returns false if it has ended
 */
export async function changeGrant(
  app: GrantApp,
  id: string,
  edit: (found: GrantRow) => { row?: Partial<TokenRow>; state: GrantState } | undefined,
): Promise<boolean> {
  const name = findGrant(app, id)?.row.name;
  if (name === undefined) return false;
  let isDone = false;
  await app.store.tokens.change(name, (current) => {
    isDone = false;
    const found = grantRow(current);
    if (found?.row.clientGrant.id !== id || !isLive(app, found.row)) return undefined;
    const next = edit(found);
    if (!next) return undefined;
    isDone = true;
    const clientGrant = { ...found.row.clientGrant, ...next.row?.clientGrant, state: next.state };
    return { ...found.row, ...next.row, clientGrant };
  });
  return isDone;
}

/** Revokes the token of a grant, so that its access tokens and its refresh token end. */
export async function revokeGrant(app: App, id: string): Promise<void> {
  const found = findGrant(app, id);
  if (found) await revokeToken(app, found.row.name, actor());
}

/** Removes grants whose code was not redeemed, and grants that ended long ago. */
export async function sweepGrants(app: App): Promise<void> {
  const now = app.clock.now();
  for (const { row, state } of grantRows(app)) {
    // A revoked token keeps the identity provider from giving the client a new one.
    if (state.assertions && row.revokedAt !== undefined) continue;
    const isLost = state.redeemBy !== undefined && now >= state.redeemBy;
    const end = Math.min(row.revokedAt ?? row.expiresAt, row.expiresAt);
    if (isLost || now >= end + ENDED_FOR_MS) await removeToken(app, row.name, actor());
  }
}

const actor = (): Actor => ({
  caller: INTERNAL_CALLER,
  origin: { source: "internal", requestId: requestId(undefined) },
});
