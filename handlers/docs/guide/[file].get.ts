import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { anyQuery } from "#lib/core/api/query.ts";
import { guideFile } from "#lib/core/api/reference/guide-files.ts";

/** A page of the documentation, or one of its files. It works offline. */
export default endpoint("GET /docs/guide/{file}", {
  summary: "Get a page, script, style sheet or example of the documentation",
  access: "open",
  query: anyQuery,
  data: v.string(),
  answers: {
    conditional: true,
    json: false,
    types: ["text/html", "text/javascript", "text/css", "image/svg+xml", "application/json", "application/yaml"],
  },
  faults: ["no_such_route"],
  run: ({ params, c }) => guideFile(params.file, c.req.raw.headers),
});
