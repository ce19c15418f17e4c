import type { Context } from "hono";
import type { AuthenticationResult } from "../../core/api/authenticate/authenticate.ts";
import { type App, part } from "../../core/app.ts";
import { createAttemptLimit } from "../../core/base/attempt-limit.ts";
import { networkOf } from "../../core/base/network-of.ts";
import { Fault } from "./faults.ts";
import { recordRefusal } from "./record-refusals.ts";
import { oauthSettings } from "./settings.ts";

/**
 * Wrong secrets for one client from one address, with those that are being checked: many people can have one address. A
 * total would let anybody lock out all clients.
 */
const WRONG = { perKey: 100, total: Number.POSITIVE_INFINITY, windowMs: 60_000 };

const wrongSecrets = part("wrongClientSecrets", ({ clock }) => createAttemptLimit(clock, WRONG));

/**
 * Lets a client authenticate at the token endpoint, but not after many wrong secrets (RFC 6749 §2.3.1). Only configured
 * clients have secrets, which a person may have chosen.
 *
 * @throws Fault client_sign_in_busy
 */
export async function limitSecretGuesses(
  app: App,
  c: Context,
  form: URLSearchParams,
  ask: () => Promise<Response>,
): Promise<Response> {
  const clientId = basicUser(c.req.header("authorization")) ?? form.get("client_id");
  if (!oauthSettings(app).clients.some((client) => client.client_id === clientId && client.client_secret)) return ask();
  const { clientIp, requestId } = (c.env as { admission: AuthenticationResult }).admission;
  const limit = app.part(wrongSecrets);
  const key = `${networkOf(clientIp ?? "local")} ${clientId}`;
  // Counted before it is checked, so that many at once are not one attempt.
  const waitMs = limit.take(key);
  if (waitMs > 0) {
    const busy = new Fault("client_sign_in_busy", { retryAfterMs: waitMs });
    const refusal = {
      step: "grant",
      reason: busy.code,
      message: "too many wrong secrets",
      clientId: clientId!,
    } as const;
    recordRefusal(app, refusal, { requestId, clientIp });
    throw busy;
  }
  let isWrong = false;
  try {
    const response = await ask();
    isWrong = response.status === 401;
    return response;
  } finally {
    if (!isWrong) limit.giveBack(key);
  }
}

/** The client id of HTTP Basic authentication, which is form-encoded (RFC 6749 §2.3.1). */
function basicUser(header: string | undefined): string | undefined {
  const encoded = /^basic\s+(\S+)$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const [user = ""] = Buffer.from(encoded, "base64").toString("utf8").split(":", 1);
  try {
    return decodeURIComponent(user.replaceAll("+", " "));
  } catch {
    return user;
  }
}
