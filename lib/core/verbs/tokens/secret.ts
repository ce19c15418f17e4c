import { hash, randomBytes } from "node:crypto";

/** Prefix of agent tokens (spec 000 §5 rule 3). */
export const AGENT_TOKEN_PREFIX = "mcp_agt_";

/** Length of the stored beginning of a secret, by which people recognise it: the common prefix and four characters. */
const SHOWN = AGENT_TOKEN_PREFIX.length + 4;

/** Makes a secret with its hash and its beginning, which may be stored. */
export function newTokenSecret(): { secret: string; hash: string; prefix: string } {
  const secret = AGENT_TOKEN_PREFIX + randomBytes(32).toString("hex");
  return { secret, hash: tokenHash(secret), prefix: secret.slice(0, SHOWN) };
}

/**
 * Returns the hash by which a secret is looked up. The time of the look-up does not depend on how similar a wrong
 * secret is.
 */
export function tokenHash(secret: string): string {
  return hash("sha256", secret, "hex");
}
