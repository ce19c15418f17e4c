import type { TokenRow } from "../schema/token.ts";
import { secretHashes } from "./secret-hashes.ts";

/** True if a token only got another secret, so that what its holder does with the one before may continue. */
export function renewsOnly(before: TokenRow, after: TokenRow): boolean {
  if (!before.clientGrant || before.clientGrant.id !== after.clientGrant?.id) return false;
  if (!secretHashes(after).includes(before.hash)) return false;
  return RIGHTS.every((member) => JSON.stringify(before[member]) === JSON.stringify(after[member]));
}

const RIGHTS = ["owner", "servers", "permissions", "profile", "expiresAt", "revokedAt"] as const;
