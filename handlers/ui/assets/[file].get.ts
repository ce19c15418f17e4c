import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { panelFile } from "#lib/core/api/panel/panel-files.ts";
import { anyQuery } from "#lib/core/api/query.ts";

/** A file of the control panel; its name contains a hash, so browsers can cache it. */
export default endpoint("GET /ui/assets/{file}", {
  summary: "Get a script, style sheet or image of the control panel",
  access: "open",
  query: anyQuery,
  data: v.string(),
  answers: { conditional: true, json: false, types: ["text/javascript", "text/css", "image/svg+xml"] },
  faults: ["no_such_route"],
  run: ({ params, c }) => panelFile(params.file, c.req.raw.headers),
});
