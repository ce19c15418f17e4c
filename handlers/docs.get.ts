import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { anyQuery } from "#lib/core/api/query.ts";

/** Redirects to the interactive reference, whose links are relative. */
export default endpoint("GET /docs", {
  summary: "Redirect to the interactive API reference",
  access: "open",
  query: anyQuery,
  data: v.string(),
  answers: { status: 302, json: false },
  run: ({ c }) => c.redirect("docs/", 302),
});
