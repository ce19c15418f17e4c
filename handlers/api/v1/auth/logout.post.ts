import * as v from "valibot";
import type { AuthenticationResult } from "#lib/core/api/authenticate/authenticate.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { auditTrail } from "#lib/core/extension/audit-trail.ts";
import { requireEdition } from "#lib/modules/team/begin.ts";
import { forgetIdentity } from "#lib/modules/team/keep-identity.ts";
import { cookie, isSecure, sessionCookie } from "#lib/modules/team/user-session.ts";

/** Ends this browser's session. This does not revoke bearer tokens; their holder must discard them. */
export default endpoint("POST /api/v1/auth/logout", {
  summary: "Sign out",
  access: "user",
  flat: true,
  data: v.object({ status: v.literal("logged_out") }),
  async run({ app, caller, c }) {
    const user = caller.user!;
    const { session } = user;
    if (session !== undefined) {
      await app.store.userSessions.remove([session]);
      await forgetIdentity(app, user.id, session);
    }
    const { proto, requestId, clientIp } = (c.env as { admission: AuthenticationResult }).admission;
    app.part(auditTrail).recordSignIn({ surface: "logout", outcome: "success", requestId, clientIp, user });
    const secure = isSecure(requireEdition(app), proto);
    c.header("Set-Cookie", cookie(sessionCookie(app, secure), "", { secure, ageMs: 0 }));
    return { status: "logged_out" };
  },
});
