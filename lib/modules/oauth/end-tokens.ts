import type { Clock } from "../../core/base/clock.ts";
import type { Logger } from "../../core/log/logger.ts";
import type { Tokens } from "./credentials.ts";
import { type Grant, revoke } from "./grants.ts";
import { refusalOf } from "./refusal.ts";
import { withDeadline } from "./with-deadline.ts";

/** Timeout of each revocation (ms). */
const TIMEOUT_MS = 5000;

/** Revokes tokens at the authorization server, the refresh token first (RFC 7009). @returns whether all were revoked */
export async function endTokens(grant: Grant, tokens: Tokens | undefined, clock: Clock, log: Logger): Promise<boolean> {
  const { authority, client, settings } = grant;
  if (!tokens || authority.revocation_endpoint === undefined) return false;
  const secretTexts = [tokens.access, tokens.refresh, client.secret, ...settings.secret];
  let done = true;
  for (const [token, kind] of [
    [tokens.refresh, "refresh_token"],
    [tokens.access, "access_token"],
  ] as const) {
    if (token === undefined) continue;
    const { signal, cancel } = withDeadline(clock, TIMEOUT_MS, [grant.signal]);
    await revoke({ ...grant, signal }, token, kind).catch((error: unknown) => {
      done = false;
      log.info(`${authority.issuer} did not revoke a token: ${refusalOf(error, secretTexts).text}`);
    });
    cancel();
  }
  return done;
}
