import { setImmediate as nextTurn } from "node:timers/promises";
import type { App } from "../../core/app.ts";
import type { UserRow } from "../../core/schema/user.ts";
import { oauth } from "../oauth/state.ts";
import { currentEdition, type Edition, sessionLifeMs } from "./edition.ts";
import { readIdentity, usersWithIdentity } from "./identity-record.ts";
import { forgetIdentity } from "./keep-identity.ts";
import { MAX_TOKEN_LIFETIME_MS } from "./tokens.ts";

const DAY_MS = 86_400_000;
const SWEEP_MS = 3_600_000;
/** How long the sign-ins of a disabled user at servers stay, because the user may be enabled again. (ms) */
const DISABLED_FOR_MS = 30 * DAY_MS;
/** How long an expired ID token stays that cannot be renewed. (ms) */
const EXPIRED_FOR_MS = DAY_MS;
/** Number of records that are looked at in one turn of the event loop. */
const SLICE = 20;

/** Deletes, now and then, what is stored of people and needed no more. @returns a function that stops it */
export function startSweepingPeople(app: App): () => void {
  if (!currentEdition(app)) return () => {};
  return app.clock.every(SWEEP_MS, () => app.log.catch("deleting the tokens of people", sweepPeople(app)));
}

/**
 * Deletes what the identity provider issued to people who cannot use it any more, and the sign-ins of people who are gone
 * at servers.
 */
export async function sweepPeople(app: App): Promise<void> {
  const { clock, log, store } = app;
  const edition = currentEdition(app);
  if (!edition) return;
  let count = 0;
  for (const [i, id] of (await usersWithIdentity(app)).entries()) {
    if (i % SLICE === SLICE - 1) await nextTurn();
    if (!(await isIdentityOver(app, edition, id))) continue;
    await forgetIdentity(app, id);
    count++;
  }
  count += await app.part(oauth).sweep((id) => {
    const user = store.users.get(id);
    return user === undefined || (user.disabledAt !== undefined && user.disabledAt + DISABLED_FOR_MS < clock.now());
  });
  if (count > 0) log.info(`${count} stored sign-ins of people were deleted, because nobody needs them any more`);
}

async function isIdentityOver(app: App, edition: Edition, id: string): Promise<boolean> {
  const user = app.store.users.get(id);
  const now = app.clock.now();
  if (!user || user.disabledAt !== undefined || now >= lastCredentialEnd(edition, user)) return true;
  const record = await readIdentity(app, id);
  return record !== undefined && record.refreshToken === undefined && record.expiresAt + EXPIRED_FOR_MS < now;
}

/** When the last session or agent token of a user that began with the last sign-in ends. */
const lastCredentialEnd = (edition: Edition, { signedInAt }: UserRow) =>
  signedInAt + sessionLifeMs(edition) + MAX_TOKEN_LIFETIME_MS;
