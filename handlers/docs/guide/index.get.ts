import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { anyQuery } from "#lib/core/api/query.ts";
import { guideFile } from "#lib/core/api/reference/guide-files.ts";

/** The first page of the documentation. */
export default endpoint("GET /docs/guide/", {
  summary: "Get the documentation",
  access: "open",
  query: anyQuery,
  data: v.string(),
  answers: { conditional: true, json: false, types: ["text/html"] },
  run: ({ c }) => guideFile("index.html", c.req.raw.headers),
});
