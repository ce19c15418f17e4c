import * as v from "valibot";
import { baseUrl } from "#lib/core/api/base-url.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { failedPage, PAGE_HEADERS } from "#lib/modules/oauth/login/page.ts";
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
    let to: string;
    try {
      to = await connectCredential(app, params.server, by, { base: baseUrl(c, app), signal });
    } catch (error) {
      if (!(error instanceof Fault) || !c.req.header("accept")?.includes("text/html")) throw error;
      const suggestion = "return to the page Account of the control panel, and tell an administrator if it fails again";
      const what = `the sign-in could not begin: ${error.message}`;
      return new Response(failedPage({ what, suggestion }), { status: error.status, headers: PAGE_HEADERS });
    }
    c.header("Cache-Control", "no-store");
    return c.redirect(to, 302);
  },
});
