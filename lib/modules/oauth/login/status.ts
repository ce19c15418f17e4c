import type { App } from "../../../core/app.ts";
import { rfc3339 } from "../../../core/base/clock.ts";
import type { Caller } from "../../../core/schema/caller.ts";
import type { LoginStatus } from "../../../core/schema/login.ts";
import { scrubText } from "../../../core/secrets/mask/text.ts";
import { findServer } from "../../../core/verbs/servers/find.ts";
import { oauth } from "../state.ts";

/** The state of the sign-in at an upstream server. @throws Fault server_not_found */
export async function status(app: App, name: string, caller: Caller): Promise<LoginStatus> {
  findServer(app, name, caller);
  const { state, issuer, client_id, scope, expiresAt, renewable, pending, failure, retry, ended, needs } = await app
    .part(oauth)
    .load(name);
  return {
    server_name: name,
    state,
    renewable,
    ...(issuer !== undefined && { issuer }),
    ...(client_id !== undefined && { client_id: scrubText(client_id) }),
    ...(scope !== undefined && { scopes: scope.split(" ").filter(Boolean) }),
    ...(needs && { missing_scopes: needs }),
    ...(expiresAt !== undefined && { expires_at: rfc3339(expiresAt) }),
    ...(pending && { pending: { expires_at: rfc3339(pending.expiresAt), correlation_id: pending.correlationId } }),
    ...(failure && {
      failure: {
        error_type: failure.errorType,
        message: failure.reason,
        suggestion: failure.suggestion,
        correlation_id: failure.correlationId,
        at: rfc3339(failure.at),
      },
    }),
    ...(retry && { retry: { at: rfc3339(retry.at), reason: retry.reason } }),
    ...(ended !== undefined && { ended }),
  };
}
