import type { errors, KoaContextWithOIDC, Provider } from "oidc-provider";
import { type App, part } from "../../core/app.ts";
import { createAttemptLimit } from "../../core/base/attempt-limit.ts";
import { Fault } from "../../core/base/fault.ts";
import { requestId as newRequestId } from "../../core/base/id.ts";
import { networkOf } from "../../core/base/network-of.ts";
import { auditTrail } from "../../core/extension/audit-trail.ts";
import { recordActivity } from "../../core/gateway/record-activity.ts";
import { type Actor, ANONYMOUS_CALLER } from "../../core/schema/caller.ts";

/** At most this many refusals are recorded, because anybody can cause them. */
const RECORDED = { perKey: 20, total: 100, windowMs: 60_000 };

const recorded = part("recordedRefusals", ({ clock }) => createAttemptLimit(clock, RECORDED));

const EVENTS = ["authorization.error", "grant.error", "registration_create.error", "revocation.error"] as const;

/** Where a request came from, which `askOAuth` notes with it. */
export interface RequestNote {
  readonly requestId: string;
  readonly clientIp?: string | undefined;
}

/** A step of a sign-in that was rejected. */
interface Refusal {
  readonly step: "authorization" | "grant" | "registration_create" | "revocation";
  /** The error code of OAuth, or of a fault. */
  readonly reason: string;
  readonly message: string;
  readonly clientId?: string | undefined;
  /** The code of the fault that caused it, such as `address_refused`. */
  readonly cause?: string | undefined;
}

/** Writes a rejected step to the activity log and to the audit log. */
export function recordRefusal(app: App, refusal: Refusal, { requestId, clientIp }: Partial<RequestNote>): void {
  if (app.part(recorded).take(networkOf(clientIp ?? "local")) > 0) return;
  const { step, reason, message, clientId, cause } = refusal;
  const id = requestId ?? newRequestId(undefined);
  app.part(auditTrail).recordSignIn({ surface: "login", outcome: "failure", reason, requestId: id, clientIp });
  const origin: Actor["origin"] = { source: "api", requestId: id, ...(clientIp !== undefined && { clientIp }) };
  recordActivity(
    app,
    { caller: ANONYMOUS_CALLER, origin },
    {
      type: "policy_decision",
      status: "blocked",
      error_message: message.slice(0, 500),
      metadata: {
        action: "client_sign_in",
        step,
        reason,
        ...(clientId !== undefined && { client_id: clientId.slice(0, 200) }),
        ...(cause !== undefined && { cause }),
      },
    },
  );
}

/** Records every step that the library rejects. */
export function recordRefusals(app: App, provider: Provider): void {
  for (const event of EVENTS)
    provider.on(event as "grant.error", (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
      const { cause } = error;
      const refusal: Refusal = {
        step: event.slice(0, event.indexOf(".")) as Refusal["step"],
        reason: error.error,
        message: [error.error_description, error.error_detail].filter(Boolean).join(": "),
        clientId: clientIdOf(ctx),
        cause: cause instanceof Fault ? cause.code : undefined,
      };
      recordRefusal(app, refusal, noteOf(ctx));
    });
  provider.on("server_error", (ctx, error) => {
    app.log.error("the sign-in of a client failed", { request_id: noteOf(ctx).requestId, stack: error.stack ?? "" });
  });
}

const noteOf = ({ req }: KoaContextWithOIDC): Partial<RequestNote> => (req as { note?: RequestNote }).note ?? {};

function clientIdOf({ oidc }: KoaContextWithOIDC): string | undefined {
  const id = oidc?.client?.clientId ?? oidc?.params?.client_id;
  return typeof id === "string" ? id : undefined;
}
