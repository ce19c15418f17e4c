import type { errors, KoaContextWithOIDC, Provider } from "oidc-provider";
import type { App } from "../../core/app.ts";
import { createAttemptLimit } from "../../core/base/attempt-limit.ts";
import { requestId } from "../../core/base/id.ts";
import { auditTrail } from "../../core/extension/audit-trail.ts";
import { recordActivity } from "../../core/gateway/record-activity.ts";
import { type Actor, ANONYMOUS_CALLER } from "../../core/schema/caller.ts";

/** At most this many refusals are recorded, because anybody can cause them. */
const RECORDED = { perKey: 20, total: 100, windowMs: 60_000 };

const EVENTS = ["authorization.error", "grant.error", "registration_create.error", "revocation.error"] as const;

/** Where a request came from, which `askOAuth` notes with it. */
export interface RequestNote {
  readonly requestId: string;
  readonly clientIp?: string | undefined;
}

/** Writes every rejected step of a sign-in to the activity log and to the audit log. */
export function recordRefusals(app: App, provider: Provider): void {
  const limit = createAttemptLimit(app.clock, RECORDED);
  for (const event of EVENTS)
    provider.on(event as "grant.error", (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
      const { requestId: id = requestId(undefined), clientIp } = noteOf(ctx);
      if (limit.take(clientIp ?? "local") > 0) return;
      const reason = error.error;
      app.part(auditTrail).recordSignIn({ surface: "login", outcome: "failure", reason, requestId: id, clientIp });
      const origin: Actor["origin"] = { source: "api", requestId: id, ...(clientIp !== undefined && { clientIp }) };
      recordActivity(
        app,
        { caller: ANONYMOUS_CALLER, origin },
        {
          type: "policy_decision",
          status: "blocked",
          error_message: [error.error_description, error.error_detail].filter(Boolean).join(": ").slice(0, 500),
          metadata: { action: "client_sign_in", step: event.split(".")[0], reason, client_id: clientIdOf(ctx) },
        },
      );
    });
  provider.on("server_error", (ctx, error) => {
    app.log.error("the sign-in of a client failed", { request_id: noteOf(ctx).requestId, stack: error.stack ?? "" });
  });
}

const noteOf = ({ req }: KoaContextWithOIDC): Partial<RequestNote> => (req as { note?: RequestNote }).note ?? {};

function clientIdOf({ oidc }: KoaContextWithOIDC): string | undefined {
  const id = oidc?.client?.clientId ?? oidc?.params?.client_id;
  return typeof id === "string" ? id.slice(0, 200) : undefined;
}
