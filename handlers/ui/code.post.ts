import * as v from "valibot";
import { issueSignInCode } from "#lib/core/api/authenticate/panel-session.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { schemeOf, webUrl } from "#lib/core/api/web-url.ts";
import { rfc3339 } from "#lib/core/base/clock.ts";

/** Creates a link that signs one browser in, once, within a minute; the URL does not contain the key. */
export default endpoint("POST /ui/code", {
  summary: "Create a one-time link to the control panel",
  access: "admin",
  data: v.object({
    url: v.pipe(v.string(), v.description("empty without a TCP listener")),
    expires_at: v.string(),
  }),
  async run({ app, c }) {
    const { listenAddr } = app.boot;
    const { code, expiresAt } = await issueSignInCode(app);
    c.header("Cache-Control", "no-store");
    return {
      url: listenAddr === "" ? "" : `${webUrl(listenAddr, schemeOf(app.config.current()))}/ui/#code=${code}`,
      expires_at: rfc3339(expiresAt),
    };
  },
});
