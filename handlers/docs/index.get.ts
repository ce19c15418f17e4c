import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { PAGE_HEADERS } from "#lib/core/api/page-headers.ts";
import { anyQuery } from "#lib/core/api/query.ts";
import { REFERENCE_PAGE } from "#lib/core/api/reference/page.ts";

/** The interactive reference (spec 000 §1). It works offline and keeps a key only while the page is open. */
export default endpoint("GET /docs/", {
  summary: "Get the interactive API reference",
  access: "open",
  query: anyQuery,
  data: v.string(),
  answers: { json: false, types: ["text/html"] },
  run: ({ c }) => c.html(REFERENCE_PAGE, 200, PAGE_HEADERS),
});
