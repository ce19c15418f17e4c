import type { App } from "../../core/app.ts";
import { rfc3339 } from "../../core/base/clock.ts";
import { Fault } from "./faults.ts";
import type { Passkey, PasskeyEntry } from "./passkey.ts";
import { siteOf } from "./site.ts";
import { storedPasskeys } from "./stored-passkeys.ts";

/** Returns all passkeys, oldest first. */
export async function listPasskeys(app: App): Promise<PasskeyEntry[]> {
  return (await storedPasskeys(app)).map(passkeyEntry);
}

/** True if somebody can sign in with a passkey at the site under which a browser reached the control panel. */
export async function canUsePasskey(app: App, base: string): Promise<boolean> {
  try {
    const { rpId } = siteOf(app, base);
    return (await storedPasskeys(app)).some((one) => one.rpId === rpId);
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

export function passkeyEntry({ id, name, rpId, createdAt, usedAt }: Passkey): PasskeyEntry {
  return {
    id,
    name,
    host: rpId,
    created_at: rfc3339(createdAt),
    ...(usedAt !== undefined && { last_used_at: rfc3339(usedAt) }),
  };
}
