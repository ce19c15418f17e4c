import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { anyQuery } from "#lib/core/api/query.ts";

/** Redirects to the documentation, whose links are relative. */
export default endpoint("GET /docs/guide", {
  summary: "Redirect to the documentation",
  access: "open",
  query: anyQuery,
  data: v.string(),
  answers: { status: 302, json: false },
  run: ({ c }) => c.redirect("guide/", 302),
});
