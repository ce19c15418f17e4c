import * as v from "valibot";
import type { AuthenticationResult } from "#lib/core/api/authenticate/authenticate.ts";
import { panelCookie, signOutBrowser } from "#lib/core/api/authenticate/panel-session.ts";
import { isSameOrigin } from "#lib/core/api/authenticate/same-origin.ts";
import { baseUrl } from "#lib/core/api/base-url.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { auditTrail } from "#lib/core/extension/audit-trail.ts";
import { forgetIdentity } from "#lib/modules/team/keep-identity.ts";
import { browserUser } from "#lib/modules/team/user-session.ts";

/** Signs this browser out; its event streams end with it. */
export default endpoint("DELETE /ui/session", {
  summary: "Sign out of the control panel",
  access: "open",
  data: v.object({ signed_in: v.literal(false) }),
  faults: ["other_origin"],
  async run({ app, by, c }) {
    const base = baseUrl(c, app);
    const header = (name: string) => c.req.header(name);
    if (!isSameOrigin({ method: "DELETE", host: new URL(base).host, header })) throw new Fault("other_origin");
    const { requestId, clientIp } = by.origin;
    if (by.caller.tier === "admin")
      app.part(auditTrail).recordSignIn({ surface: "logout", outcome: "success", requestId, clientIp });
    await signOutBrowser(app, c.req.header("cookie"));
    // The browser may also, or instead, have a session of the identity provider.
    const { proto } = (c.env as { admission: AuthenticationResult }).admission;
    const { id, session } = browserUser(app, c.req.header("cookie"), proto)?.user ?? {};
    if (id !== undefined && session !== undefined) {
      await app.store.userSessions.remove([session]);
      await forgetIdentity(app, id, session);
    }
    c.header("Set-Cookie", panelCookie(app, { secure: base.startsWith("https:") }));
    return { signed_in: false as const };
  },
});
