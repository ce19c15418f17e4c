import type { Clock } from "../../core/base/clock.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { isDamageFault, isDiskFault } from "../../core/store/disk-fault.ts";
import { SignInMissing, type UpstreamAuthorization } from "../../core/upstream/authorization.ts";
import { bearerChallenge, type Challenge } from "./challenge.ts";
import type { Tokens } from "./credentials.ts";
import type { KeptCredentials } from "./kept-credentials.ts";
import { MIN_DELAY_MS, type Renewer } from "./renewer.ts";
import { isGoodAt, isRenewable } from "./sign-in-state.ts";

/** The credentials that connections send to their server, and the server's challenges. */
interface ShownCredentials {
  /** The bearer token for a connection to this URL; tokens of another URL are not sent. */
  bearer(serverUrl: string): UpstreamAuthorization;
  /** The server's last challenge. */
  challenge(): Challenge | undefined;
}

/** @param obtain gets tokens without a person, for servers at which the proxy can do that */
export function createShownCredentials(
  clock: Clock,
  credentials: KeptCredentials,
  renewer: Renewer,
  obtain: () => Promise<boolean>,
): ShownCredentials {
  let challenge: Challenge | undefined;
  let header: { of: string; text: string } | undefined;

  const isGood = (tokens: Tokens) => isGoodAt(tokens, clock.now());
  const headerOf = (tokens: Tokens) => {
    if (header?.of !== tokens.access) header = { of: tokens.access, text: `Bearer ${tokens.access}` };
    return header.text;
  };

  const bearer = (serverUrl: string): UpstreamAuthorization => {
    const mine = () => {
      const record = credentials.now();
      return record?.authority?.server_url === serverUrl ? record : undefined;
    };
    const show = (): string | undefined | Promise<string | undefined> => {
      if (!credentials.isRead()) return credentials.read().then(show, unreadable);
      const now = mine();
      if (now?.signed_out) throw new SignInMissing("a user signed out");
      const tokens = now?.tokens;
      if (!tokens) return undefined;
      if (isGood(tokens)) return headerOf(tokens);
      if (!isRenewable(now)) return undefined;
      return renewed().then(show);
    };
    // A new sign-in replaces credentials that cannot be decrypted; a disk error is rethrown.
    const unreadable = (error: unknown): never => {
      const { cause } = error as { cause?: unknown };
      if (isDiskFault(cause) && !isDamageFault(cause)) throw error;
      throw new SignInMissing(reasonOf(error), { cause: error });
    };
    const renewed = () =>
      renewer.hurried().catch((error: unknown) => {
        if (mine()?.ended) return;
        throw new Error(`its sign-in could not be renewed: ${reasonOf(error)}`, { cause: error });
      });
    return {
      header: show,
      async handleRefusal(header, responses) {
        challenge = bearerChallenge(responses) ?? challenge;
        await credentials.read();
        const record = mine();
        const tokens = record?.tokens;
        if (header === undefined) return tokens === undefined && (await obtain());
        if (!tokens || record?.signed_out) return false;
        if (headerOf(tokens) !== header) return isGood(tokens) || isRenewable(record);
        // If a token that was just issued is rejected, a new one would be rejected too.
        const age = clock.now() - tokens.obtained_at;
        const isNew = age >= 0 && age < MIN_DELAY_MS;
        if (isNew && record.grant) throw new Error("it rejects the token that the proxy got with client credentials");
        if (!isRenewable(record) || isNew) return false;
        await renewed();
        const now = mine()?.tokens;
        return now !== undefined && headerOf(now) !== header;
      },
      missingScopes(responses) {
        const found = bearerChallenge(responses);
        if (found?.error !== "insufficient_scope") return undefined;
        // The missing scopes are requested in addition to those granted.
        if (found.resourceMetadata !== undefined)
          challenge = { ...challenge, resourceMetadata: found.resourceMetadata };
        const needs = (found.scope ?? "").split(" ").filter(Boolean).slice(0, 50);
        const now = mine();
        const all = [...new Set([...(now?.needs ?? []), ...needs])];
        if (now && all.length !== now.needs?.length) {
          // Set in memory at once, for a sign-in that follows; stored so that it survives a restart.
          credentials.foresee({ ...now, needs: all });
          credentials.change((then) => ({ ...then, needs: all })).catch(() => {});
        }
        return needs.join(" ");
      },
    };
  };
  return { bearer, challenge: () => challenge };
}
