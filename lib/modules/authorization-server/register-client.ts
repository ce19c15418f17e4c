import type { Context } from "hono";
import type { AuthenticationResult } from "../../core/api/authenticate/authenticate.ts";
import { type App, part } from "../../core/app.ts";
import type { AttemptLimit } from "../../core/base/attempt-limit.ts";
import { openAttemptLimit } from "../../core/extension/open-attempt-limit.ts";
import { askOAuth } from "./ask-oauth.ts";
import { registrationFrom } from "./client-metadata.ts";
import { Fault } from "./faults.ts";
import { recordRefusal } from "./record-refusals.ts";
import { oauthSettings, requireOAuth } from "./settings.ts";

/** Limits for registrations, which anybody can send. */
const LIMITS = { perKey: 20, total: 200, windowMs: 60 * 60_000 };

const registrations = part<AttemptLimit>("registrationLimit", (app) => openAttemptLimit(app, "registration", LIMITS));

/** Registers a client. @throws Fault client_sign_in_disabled, client_sign_in_busy, no_such_route */
export async function registerClient(app: App, c: Context, body: unknown): Promise<Response> {
  requireOAuth(app);
  const { clientIp = "local", path, requestId } = (c.env as { admission: AuthenticationResult }).admission;
  const refused = (reason: string, message: string) =>
    recordRefusal(app, { step: "registration_create", reason, message }, { requestId, clientIp });
  if (!oauthSettings(app).dynamic_registration) throw new Fault("no_such_route", { path });
  const waitMs = await app.part(registrations).take(clientIp);
  if (waitMs > 0) {
    const busy = new Fault("client_sign_in_busy", { retryAfterMs: waitMs });
    refused(busy.code, busy.message);
    throw busy;
  }
  let metadata: object;
  try {
    metadata = registrationFrom(body);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const reason = error.message.includes("redirect_uris") ? "invalid_redirect_uri" : "invalid_client_metadata";
    refused(reason, error.message);
    return c.json({ error: reason, error_description: error.message }, 400);
  }
  return askOAuth(app, c, { method: "POST", target: "/oauth/register", body: JSON.stringify(metadata) });
}
