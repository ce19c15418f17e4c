import * as v from "valibot";
import { baseUrl } from "#lib/core/api/base-url.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { beginPasskey } from "#lib/modules/passkeys/register.ts";

/** What the browser passes to the authenticator; its answer goes to `POST /ui/passkeys`. */
export default endpoint("POST /ui/passkeys/challenge", {
  summary: "Begin to register a passkey",
  access: "person",
  data: v.pipe(v.looseObject({ challenge: v.string() }), v.description("options of `navigator.credentials.create`")),
  faults: ["passkey_unavailable", "passkey_limit", "passkey_busy"],
  async run({ app, by, c }) {
    c.header("Cache-Control", "no-store");
    return { ...(await beginPasskey(app, baseUrl(c, app), by)) };
  },
});
