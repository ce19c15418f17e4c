import * as v from "valibot";
import { panelCookie, signInBrowser } from "#lib/core/api/authenticate/panel-session.ts";
import { isSameOrigin } from "#lib/core/api/authenticate/same-origin.ts";
import { baseUrl } from "#lib/core/api/base-url.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { strictMembers } from "#lib/core/api/strict.ts";
import { rfc3339 } from "#lib/core/base/clock.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { auditTrail } from "#lib/core/extension/audit-trail.ts";
import { passkeyId, ShownPasskey } from "#lib/modules/passkeys/passkey.ts";
import { signInWithPasskey } from "#lib/modules/passkeys/sign-in.ts";

/** Signs a browser in: exchanges the key, the code of a link or a passkey for a cookie that scripts cannot read. */
export default endpoint("POST /ui/session", {
  summary: "Sign in to the control panel",
  access: "open",
  body: strictMembers({
    key: v.optional(v.pipe(v.string(), v.maxLength(4096), v.description("the API key"))),
    code: v.optional(
      v.pipe(v.string(), v.maxLength(256), v.description("alternative to key: a one-time code from `proxy ui`")),
    ),
    passkey: v.optional(
      v.pipe(ShownPasskey, v.description("alternative to key: an answer to `POST /ui/session/challenge`")),
    ),
  }),
  data: v.object({ expires_at: v.string() }),
  faults: ["sign_in_refused", "passkey_refused", "passkey_unavailable", "other_origin", "too_many_attempts"],
  async run({ app, body: { key, code, passkey }, by, c }) {
    if ([key, code, passkey].filter((one) => one !== undefined).length !== 1)
      throw new Fault("invalid_request", { reason: "send one of key, code and passkey" });
    const base = baseUrl(c, app);
    const header = (name: string) => c.req.header(name);
    if (!isSameOrigin({ method: "POST", host: new URL(base).host, header })) throw new Fault("other_origin");
    const { requestId, clientIp } = by.origin;
    const origin = { surface: "login", requestId, clientIp } as const;
    const opened = passkey
      ? signInWithPasskey(app, base, passkey)
      : signInBrowser(app, key === undefined ? { code: code! } : { key });
    const { secret, expiresAt } = await opened.catch((error) => {
      const reason = error instanceof Fault ? error.code : "internal";
      app.part(auditTrail).recordSignIn({ ...origin, outcome: "failure", reason });
      throw error;
    });
    app.part(auditTrail).recordSignIn({ ...origin, outcome: "success", passkey: passkey && passkeyId(passkey.id) });
    c.header("Set-Cookie", panelCookie(app, { secret, secure: base.startsWith("https:") }));
    c.header("Cache-Control", "no-store");
    return { expires_at: rfc3339(expiresAt) };
  },
});
