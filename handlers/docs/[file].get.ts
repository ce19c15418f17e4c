import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { anyQuery } from "#lib/core/api/query.ts";
import { referenceFile } from "#lib/core/api/reference/reference-file.ts";

/** A file of the interactive reference. */
export default endpoint("GET /docs/{file}", {
  summary: "Get a script or style sheet of the interactive API reference",
  access: "open",
  query: anyQuery,
  data: v.string(),
  answers: { conditional: true, json: false, types: ["text/javascript", "text/css", "text/plain"] },
  faults: ["no_such_route"],
  run: ({ params, c }) => referenceFile(params.file, c.req.raw.headers),
});
