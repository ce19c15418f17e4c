import * as v from "valibot";
import type { AuthenticationResult } from "#lib/core/api/authenticate/authenticate.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { anyQuery } from "#lib/core/api/query.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { failedPage, PAGE_HEADERS, signedInPage } from "#lib/modules/oauth/login/page.ts";
import { finishCredential } from "#lib/modules/team/credentials.ts";
import { browserUser } from "#lib/modules/team/user-session.ts";

/**
 * The redirect URI of a user's sign-in at a server. The request comes from another site, so the listener ignores its
 * cookies. The session is read here, and must belong to the user who began the sign-in.
 */
export default endpoint("GET /api/v1/user/credentials/{server}/callback", {
  summary: "Receive the redirect from a shared server's sign-in",
  access: "open",
  query: anyQuery,
  data: v.string(),
  answers: { types: ["text/html"], json: false, pages: [400] },
  async run({ app, params: { server }, c }) {
    const { proto, query, requestId, clientIp } = (c.env as { admission: AuthenticationResult }).admission;
    const page = (status: number, html: string) => new Response(html, { status, headers: PAGE_HEADERS });
    const caller = browserUser(app, c.req.header("cookie"), proto);
    if (!caller)
      return page(
        400,
        failedPage({
          what: "this browser is not signed in",
          suggestion: "sign in to the control panel, then start again",
        }),
      );
    const origin = { source: "api" as const, requestId, ...(clientIp !== undefined && { clientIp }) };
    try {
      await finishCredential(app, server, new URLSearchParams(query), { caller, origin });
      return page(200, signedInPage(server));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const { suggestion = "start again on the page Account of the control panel", correlationId = "" } =
        error.facts as Record<string, string>;
      const what = `the sign-in to the server ${server} failed`;
      return page(400, failedPage({ what, suggestion, correlationId }));
    }
  },
});
