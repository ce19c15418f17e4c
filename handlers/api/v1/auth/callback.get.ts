import * as v from "valibot";
import type { AuthenticationResult } from "#lib/core/api/authenticate/authenticate.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { text } from "#lib/core/api/query.ts";
import { signInPage } from "#lib/core/api/sign-in-page.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { auditTrail } from "#lib/core/extension/audit-trail.ts";
import { requireEdition } from "#lib/modules/team/begin.ts";
import { sessionLifeMs } from "#lib/modules/team/edition.ts";
import { finish } from "#lib/modules/team/finish.ts";
import { keepIdentity } from "#lib/modules/team/keep-identity.ts";
import { confirmSession, liveSession, openSession } from "#lib/modules/team/sessions.ts";
import { cookie, isSecure, readCookie, sessionCookie, stateCookie } from "#lib/modules/team/user-session.ts";

/** The redirect URI of the identity provider (spec 001 §4.3): exchanges the code for a session. */
export default endpoint("GET /api/v1/auth/callback", {
  summary: "Receive the redirect from the identity provider",
  access: "open",
  query: v.looseObject({
    state: text(4096, "state that the proxy sent to the identity provider"),
    code: text(4096, "one-time authorization code"),
  }),
  data: v.pipe(v.string(), v.description("a redirect to the page where the sign-in started")),
  answers: { status: 302, json: false, types: ["text/html"] },
  faults: ["edition_off", "sign_in_state", "sign_in_denied", "sign_in_unavailable"],
  async run({ app, query: { state = "" }, c }) {
    const edition = requireEdition(app);
    const { clientIp, proto, query, requestId } = (c.env as { admission: AuthenticationResult }).admission;
    const secure = isSecure(edition, proto);
    const cookies = c.req.header("cookie");
    c.header("Cache-Control", "no-store");
    c.header("Referrer-Policy", "no-referrer");
    c.header("Set-Cookie", cookie(stateCookie(state, secure), "", { secure, ageMs: 0 }), { append: true });
    try {
      const { user, path, tokens } = await finish(app, {
        query,
        browser: (s) => readCookie(cookies, stateCookie(s, secure)),
      });
      const name = sessionCookie(app, secure);
      // The previous session of this browser ends.
      const before = liveSession(app, readCookie(cookies, name) ?? "");
      if (before) await app.store.userSessions.remove([before.id]);
      const { secret, session } = await openSession(app, user, { userAgent: c.req.header("user-agent"), clientIp });
      await keepIdentity(app, user, tokens, session.id);
      await confirmSession(app, user, session);
      c.header("Set-Cookie", cookie(name, secret, { secure, ageMs: sessionLifeMs(edition) }), { append: true });
      app.part(auditTrail).recordSignIn({ surface: "login", outcome: "success", requestId, clientIp, user });
      app.log.info(`${user.email} signed in`, { request_id: requestId, user_id: user.id });
      return c.redirect(path, 302);
    } catch (error) {
      const reason = error instanceof Fault ? error.code : "internal";
      app.part(auditTrail).recordSignIn({ surface: "login", outcome: "failure", reason, requestId, clientIp });
      app.log.warn("a sign-in failed", { request_id: requestId, reason: error instanceof Error ? error.message : "" });
      const page = c.req.header("accept")?.includes("text/html") && signInPage(error, requestId);
      if (!page) throw error;
      return c.html(page.html, page.status);
    }
  },
});
