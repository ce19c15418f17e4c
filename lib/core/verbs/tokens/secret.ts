import { hash, randomBytes } from "node:crypto";

/** What agent tokens start with (spec 000 §5 rule 3). */
export const AGENT_TOKEN_PREFIX = "mcp_agt_";

/** How much of a secret is kept to recognise it by: the common prefix and four characters. */
const SHOWN = AGENT_TOKEN_PREFIX.length + 4;

/** A new secret with what may be kept of it. */
export function newTokenSecret(): { secret: string; hash: string; prefix: string } {
  const secret = AGENT_TOKEN_PREFIX + randomBytes(32).toString("hex");
  return { secret, hash: tokenHash(secret), prefix: secret.slice(0, SHOWN) };
}

/** What a secret is found by: looking it up takes no longer for one that is nearly right. */
export function tokenHash(secret: string): string {
  return hash("sha256", secret, "hex");
}
