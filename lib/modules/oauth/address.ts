import { createHash } from "node:crypto";
import type { Credentials, Pending } from "./credentials.ts";
import type { Settings } from "./settings.ts";

/** The authorization URL that the browser opens (RFC 6749 §4.1.1, RFC 7636, RFC 8707). */
export function addressFor({ authority, client, state, verifier, scope }: Pending, { extra }: Settings): string {
  // `discover` accepts no authorization server without one for a sign-in in the browser.
  const url = new URL(authority.authorization_endpoint!);
  const parameters: Record<string, string> = {
    response_type: "code",
    client_id: client.id,
    redirect_uri: client.redirect_uri,
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    resource: authority.resource,
    ...(scope !== undefined && { scope }),
    // OpenID Connect grants offline access only with the consent prompt.
    ...(scope?.split(" ").includes("offline_access") && { prompt: "consent" }),
    ...extra,
  };
  for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value);
  return url.href;
}

/**
 * The requested scopes: those that the server requires, with the scopes that were granted before if a request lacked
 * one.
 */
export function scopesFor(
  requested: readonly string[] | undefined,
  before: Credentials | undefined,
): readonly string[] | undefined {
  if (!before?.needs) return requested;
  const granted = before.tokens?.scope?.split(" ").filter(Boolean) ?? [];
  return [...new Set([...(requested ?? []), ...granted, ...before.needs])];
}
