import type { Context } from "hono";
import type { AuthenticationResult } from "../../core/api/authenticate/authenticate.ts";
import { type App, part } from "../../core/app.ts";
import type { AttemptLimit } from "../../core/base/attempt-limit.ts";
import { openAttemptLimit } from "../../core/extension/open-attempt-limit.ts";
import { askOAuth } from "./ask-oauth.ts";
import { Fault } from "./faults.ts";
import { RESPONSE_MODES } from "./metadata.ts";
import { recordRefusal } from "./record-refusals.ts";
import { knownScopes } from "./scopes.ts";
import { requireOAuth } from "./settings.ts";

/** Limits for sign-ins, which anybody can begin. */
const LIMITS = { perKey: 60, total: 600, windowMs: 60_000 };

const begun = part<AttemptLimit>("signInLimit", (app) => openAttemptLimit(app, "sign-in", LIMITS));

/**
 * Begins the sign-in of a client. Scopes of other services are dropped. So are prompts, because every sign-in asks the
 * person; only `none`, for which that is an error, remains.
 *
 * @throws Fault client_sign_in_disabled, client_sign_in_busy
 */
export async function beginSignIn(app: App, c: Context): Promise<Response> {
  requireOAuth(app);
  const { clientIp = "local", query, requestId } = (c.env as { admission: AuthenticationResult }).admission;
  const params = new URLSearchParams(query);
  const waitMs = await app.part(begun).take(clientIp);
  if (waitMs > 0) {
    const busy = new Fault("client_sign_in_busy", { retryAfterMs: waitMs });
    const clientId = params.get("client_id") ?? undefined;
    const refusal = { step: "authorization", reason: busy.code, message: busy.message, clientId } as const;
    recordRefusal(app, refusal, { requestId, clientIp });
    throw busy;
  }
  params.set("scope", knownScopes(params.get("scope") ?? undefined));
  if (params.get("prompt") !== "none") params.delete("prompt");
  // The library would answer with a page that needs a script; an unknown mode is an error for the client.
  const mode = params.get("response_mode");
  if (mode !== null && !RESPONSE_MODES.includes(mode)) params.set("response_mode", "unsupported");
  return askOAuth(app, c, { method: "GET", target: `/oauth/authorize?${params}` });
}
