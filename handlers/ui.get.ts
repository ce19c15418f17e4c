import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";

/** Leads to the control panel. */
export default endpoint("GET /ui", {
  summary: "Lead to the control panel",
  access: "open",
  data: v.string(),
  answers: { status: 302, json: false },
  run: ({ c }) => c.redirect("/ui/", 302),
});
