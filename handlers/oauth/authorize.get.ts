import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { anyQuery } from "#lib/core/api/query.ts";
import { beginSignIn } from "#lib/modules/authorization-server/begin-sign-in.ts";
import { withRefusalPage } from "#lib/modules/authorization-server/refusal-page.ts";

/** Where a client sends the browser of a person to ask for access (RFC 6749 §4.1.1). */
export default endpoint("GET /oauth/authorize", {
  summary: "Begin the sign-in of an MCP client",
  access: "open",
  query: anyQuery,
  data: v.pipe(v.string(), v.description("a redirect to the consent page, or back to the client with an error")),
  answers: { status: 303, json: false, types: ["text/html"] },
  faults: ["client_sign_in_disabled", "client_sign_in_busy"],
  run: async ({ app, c }) => withRefusalPage(c, await beginSignIn(app, c)),
});
