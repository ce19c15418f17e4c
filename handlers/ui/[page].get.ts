import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { panelPage } from "#lib/core/api/panel/panel-files.ts";
import { anyQuery } from "#lib/core/api/query.ts";

/** A page of the control panel, whose path the browser evaluates. */
export default endpoint("GET /ui/{page}", {
  summary: "Get a page of the control panel",
  access: "open",
  query: anyQuery,
  data: v.string(),
  answers: { conditional: true, json: false, types: ["text/html"] },
  run: ({ c }) => panelPage(c.req.raw.headers),
});
