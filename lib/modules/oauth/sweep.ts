import { setImmediate as nextTurn } from "node:timers/promises";
import { forget, removeRecord } from "./forget.ts";
import type { Parts } from "./parts.ts";
import type { Place } from "./records.ts";

/** How long an expired token stays that the proxy can get again without a person. (ms) */
const EXPIRED_FOR_MS = 86_400_000;
/** Number of records that are looked at in one turn of the event loop. */
const SLICE = 20;

/**
 * Deletes the credentials that nobody needs any more: those at servers that are not configured, those of people who are
 * gone, which are revoked too, and tokens that expired long ago and that the proxy can get again.
 *
 * @param isGone whether an owner will not come back
 * @returns the number of deleted records
 */
export async function sweepCredentials(parts: Parts, isGone: (owner: string) => boolean): Promise<number> {
  const { closing, config, records } = parts;
  let count = 0;
  for (const [i, place] of (await records.places()).entries()) {
    if (i % SLICE === SLICE - 1) await nextTurn();
    if (closing.aborted) break;
    const isKnown = config.server(place.server) !== undefined;
    if (isKnown && place.owner === "") continue;
    const isOrphan = isKnown && isGone(place.owner);
    if (isKnown && !isOrphan && !(await isWithoutUse(parts, place))) continue;
    if (isOrphan) await forget(parts, place, closing);
    await removeRecord(parts, place);
    count++;
  }
  return count;
}

async function isWithoutUse({ clock, records }: Parts, place: Place): Promise<boolean> {
  // What cannot be decrypted now can be after the key is back.
  const stored = await records.get(place).catch(() => undefined);
  if (!stored) return false;
  const { grant, tokens, ...rest } = stored;
  if (grant !== "id_jag") return tokens === undefined && Object.keys(rest).length === 0;
  return tokens?.expires_at === undefined || tokens.expires_at + EXPIRED_FOR_MS < clock.now();
}
