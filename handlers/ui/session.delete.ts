import * as v from "valibot";
import { authEvent } from "#lib/audit/entries.ts";
import { setCookie, signOut } from "#lib/auth/panel-session.ts";
import { fromOurPage } from "#lib/auth/same-origin.ts";
import { browserUser } from "#lib/auth/user-session.ts";
import { Fault } from "#lib/base/fault.ts";
import { baseUrl } from "#lib/http/base-url.ts";
import type { Admission } from "#lib/http/door.ts";
import { endpoint } from "#lib/http/endpoint.ts";

/** Signs this browser out; its event streams end with it. */
export default endpoint("DELETE /ui/session", {
  summary: "Sign out of the control panel",
  access: "open",
  data: v.object({ signed_in: v.literal(false) }),
  faults: ["other_origin"],
  async run({ app, by, c }) {
    const base = baseUrl(c, app);
    const header = (name: string) => c.req.header(name);
    if (!fromOurPage({ method: "DELETE", host: new URL(base).host, header })) throw new Fault("other_origin");
    const { requestId, clientIp } = by.origin;
    if (by.caller.tier === "admin")
      app.audit.write(authEvent({ surface: "logout", outcome: "success", requestId, clientIp }));
    await signOut(app, c.req.header("cookie"));
    // Somebody who signed in at the identity provider, or did that, too.
    const { proto } = (c.env as { admission: Admission }).admission;
    const session = browserUser(app, c.req.header("cookie"), proto)?.user?.session;
    if (session !== undefined) await app.store.userSessions.remove([session]);
    c.header("Set-Cookie", setCookie(app.boot, { secure: base.startsWith("https:") }));
    return { signed_in: false as const };
  },
});
