import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { anyQuery } from "#lib/core/api/query.ts";
import { referenceFile } from "#lib/core/api/reference/reference-file.ts";

/** A file of the interactive reference, or the JSON Schema of the configuration. */
export default endpoint("GET /docs/{file}", {
  summary: "Get a file of the interactive API reference, or the JSON Schema of the configuration",
  access: "open",
  query: anyQuery,
  data: v.string(),
  answers: {
    conditional: true,
    json: false,
    types: ["text/javascript", "text/css", "text/plain", "application/schema+json"],
  },
  faults: ["no_such_route"],
  run: ({ params, c }) => referenceFile(params.file, c.req.raw.headers),
});
