import type { TokenRow } from "../schema/token.ts";

/** Returns the hashes of the secrets by which a token is found: the current one, and those that its client replaced. */
export function secretHashes({ hash, clientGrant }: TokenRow): string[] {
  return [hash, ...(clientGrant?.older ?? []).map((one) => one.hash)];
}
