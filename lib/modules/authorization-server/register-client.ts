import type { Context } from "hono";
import type { AuthenticationResult } from "../../core/api/authenticate/authenticate.ts";
import { type App, part } from "../../core/app.ts";
import type { AttemptLimit } from "../../core/base/attempt-limit.ts";
import { openAttemptLimit } from "../../core/extension/open-attempt-limit.ts";
import { askOAuth } from "./ask-oauth.ts";
import { registrationFrom } from "./client-metadata.ts";
import { Fault } from "./faults.ts";
import { oauthSettings, requireOAuth } from "./settings.ts";

/** Limits for registrations, which anybody can send. */
const LIMITS = { perKey: 20, total: 200, windowMs: 60 * 60_000 };

const registrations = part<AttemptLimit>("registrationLimit", (app) => openAttemptLimit(app, "registration", LIMITS));

/** Registers a client. @throws Fault client_sign_in_disabled, client_sign_in_busy, no_such_route */
export async function registerClient(app: App, c: Context, body: unknown): Promise<Response> {
  requireOAuth(app);
  const { clientIp = "local", path } = (c.env as { admission: AuthenticationResult }).admission;
  if (!oauthSettings(app).dynamic_registration) throw new Fault("no_such_route", { path });
  const waitMs = await app.part(registrations).take(clientIp);
  if (waitMs > 0) throw new Fault("client_sign_in_busy", { retryAfterMs: waitMs });
  let metadata: object;
  try {
    metadata = registrationFrom(body);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const isRedirect = error.message.includes("redirect_uris");
    return c.json(
      { error: isRedirect ? "invalid_redirect_uri" : "invalid_client_metadata", error_description: error.message },
      400,
    );
  }
  return askOAuth(app, c, { method: "POST", target: "/oauth/register", body: JSON.stringify(metadata) });
}
