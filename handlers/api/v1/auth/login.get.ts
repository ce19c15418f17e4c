import * as v from "valibot";
import type { AuthenticationResult } from "#lib/core/api/authenticate/authenticate.ts";
import { baseUrl } from "#lib/core/api/base-url.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { text } from "#lib/core/api/query.ts";
import { begin, requireEdition } from "#lib/modules/team/begin.ts";
import { cookie, isSecure, STATE_AGE_MS, stateCookie } from "#lib/modules/team/user-session.ts";

/** Redirects a browser to the identity provider (spec 001 §4.3, §5). */
export default endpoint("GET /api/v1/auth/login", {
  summary: "Sign in with the identity provider",
  access: "open",
  query: v.object({ redirect_uri: text(2048, "path of the proxy to open afterwards; default /ui/") }),
  data: v.pipe(v.string(), v.description("a redirect to the identity provider")),
  answers: { status: 302, json: false },
  faults: ["edition_off", "sign_in_unavailable"],
  async run({ app, query: { redirect_uri = "/ui/" }, c }) {
    const { clientIp = "", proto } = (c.env as { admission: AuthenticationResult }).admission;
    const secure = isSecure(requireEdition(app), proto);
    const { to, state, browser } = await begin(app, {
      path: redirect_uri,
      base: baseUrl(c, app),
      from: clientIp,
    });
    c.header("Set-Cookie", cookie(stateCookie(state, secure), browser, { secure, ageMs: STATE_AGE_MS }));
    c.header("Cache-Control", "no-store");
    return c.redirect(to, 302);
  },
});
