import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { anyQuery } from "#lib/core/api/query.ts";
import { askOAuth } from "#lib/modules/authorization-server/ask-oauth.ts";
import { withRefusalPage } from "#lib/modules/authorization-server/refusal-page.ts";

/** Where the consent page sends the browser after the answer; it leads back to the client with a code. */
export default endpoint("GET /oauth/authorize/{uid}", {
  summary: "Return to an MCP client after the person's answer",
  access: "open",
  query: anyQuery,
  data: v.pipe(v.string(), v.description("a redirect to the client")),
  answers: { status: 303, json: false, types: ["text/html"] },
  faults: ["client_sign_in_disabled"],
  async run({ app, c, params }) {
    const target = `/oauth/authorize/${encodeURIComponent(params.uid)}`;
    return withRefusalPage(c, await askOAuth(app, c, { method: "GET", target }));
  },
});
