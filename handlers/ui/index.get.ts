import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { panelPage } from "#lib/core/api/panel/panel-files.ts";
import { anyQuery } from "#lib/core/api/query.ts";

/** The control panel. It works offline and asks for the key itself. */
export default endpoint("GET /ui/", {
  summary: "Get the control panel",
  access: "open",
  query: anyQuery,
  data: v.string(),
  answers: { conditional: true, json: false, types: ["text/html"] },
  run: ({ c }) => panelPage(c.req.raw.headers),
});
