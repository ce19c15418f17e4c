import * as v from "valibot";
import { baseUrl } from "#lib/core/api/base-url.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { connectCredential } from "#lib/modules/team/credentials.ts";

/** Redirects a user's browser to the authorization server of a server. */
export default endpoint("GET /api/v1/user/credentials/{server}/connect", {
  summary: "Sign in to a shared server",
  access: "user",
  data: v.pipe(v.string(), v.description("a redirect to the sign-in server")),
  answers: { status: 302, json: false },
  faults: [
    "server_not_found",
    "server_disabled",
    "credentials_off",
    "metadata_discovery_failed",
    "client_id_required",
    "dcr_failed",
    "oauth_not_supported",
  ],
  async run({ app, params, by, signal, c }) {
    const to = await connectCredential(app, params.server, by, { base: baseUrl(c, app), signal });
    c.header("Cache-Control", "no-store");
    return c.redirect(to, 302);
  },
});
