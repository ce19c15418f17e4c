import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { anyQuery } from "#lib/core/api/query.ts";
import { answer } from "#lib/modules/oauth/login/answer.ts";
import { PAGE_HEADERS } from "#lib/modules/oauth/login/page.ts";

/** The redirect URI of sign-ins at upstream servers. The `state`, valid once, authenticates the response. */
export default endpoint("GET /oauth/callback", {
  summary: "Receive the redirect from the sign-in of an upstream server",
  access: "open",
  query: anyQuery,
  data: v.string(),
  answers: { types: ["text/html"], json: false, pages: [400, 500] },
  async run({ app, c }) {
    const { status, html } = await answer(app, new URL(c.req.url).searchParams);
    return new Response(html, { status, headers: PAGE_HEADERS });
  },
});
