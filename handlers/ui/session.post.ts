import * as v from "valibot";
import { panelCookie, signInBrowser } from "#lib/core/api/authenticate/panel-session.ts";
import { isSameOrigin } from "#lib/core/api/authenticate/same-origin.ts";
import { baseUrl } from "#lib/core/api/base-url.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { strictMembers } from "#lib/core/api/strict.ts";
import { rfc3339 } from "#lib/core/base/clock.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { auditTrail } from "#lib/core/extension/audit-trail.ts";

/** Signs a browser in: exchanges the key, or the code of a link, for a cookie that scripts cannot read. */
export default endpoint("POST /ui/session", {
  summary: "Sign in to the control panel",
  access: "open",
  body: strictMembers({
    key: v.optional(v.pipe(v.string(), v.maxLength(4096), v.description("the API key"))),
    code: v.optional(
      v.pipe(v.string(), v.maxLength(256), v.description("alternative to key: a one-time code from `proxy ui`")),
    ),
  }),
  data: v.object({ expires_at: v.string() }),
  faults: ["sign_in_refused", "other_origin", "too_many_attempts"],
  async run({ app, body: { key, code }, by, c }) {
    if ((key === undefined) === (code === undefined))
      throw new Fault("invalid_request", { reason: "send either key or code" });
    const base = baseUrl(c, app);
    const header = (name: string) => c.req.header(name);
    if (!isSameOrigin({ method: "POST", host: new URL(base).host, header })) throw new Fault("other_origin");
    const { requestId, clientIp } = by.origin;
    const origin = { surface: "login", requestId, clientIp } as const;
    const { secret, expiresAt } = await signInBrowser(app, key === undefined ? { code: code! } : { key }).catch(
      (error) => {
        app.part(auditTrail).recordSignIn({ ...origin, outcome: "failure", reason: "sign_in_refused" });
        throw error;
      },
    );
    app.part(auditTrail).recordSignIn({ ...origin, outcome: "success" });
    c.header("Set-Cookie", panelCookie(app, { secret, secure: base.startsWith("https:") }));
    c.header("Cache-Control", "no-store");
    return { expires_at: rfc3339(expiresAt) };
  },
});
