import * as v from "valibot";
import { baseUrl } from "#lib/core/api/base-url.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { beginPasskeySignIn } from "#lib/modules/passkeys/sign-in.ts";

/** What the browser passes to the authenticator; its answer goes to `POST /ui/session`. */
export default endpoint("POST /ui/session/challenge", {
  summary: "Begin a sign-in to the control panel with a passkey",
  access: "open",
  data: v.pipe(v.looseObject({ challenge: v.string() }), v.description("options of `navigator.credentials.get`")),
  faults: ["passkey_unavailable", "passkey_busy"],
  async run({ app, by, c }) {
    c.header("Cache-Control", "no-store");
    return { ...(await beginPasskeySignIn(app, baseUrl(c, app), by.origin.clientIp)) };
  },
});
