import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { anyQuery } from "#lib/core/api/query.ts";

/** Redirects to the control panel. */
export default endpoint("GET /ui", {
  summary: "Redirect to the control panel",
  access: "open",
  query: anyQuery,
  data: v.string(),
  answers: { status: 302, json: false },
  run: ({ c }) => c.redirect("/ui/", 302),
});
