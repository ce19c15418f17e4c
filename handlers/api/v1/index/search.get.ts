import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { cursorText, pagedListing } from "#lib/core/api/listing.ts";
import { clamped, text } from "#lib/core/api/query.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { ToolSearch } from "#lib/core/schema/tool-search.ts";
import { searchTools } from "#lib/core/verbs/tools/search.ts";

const pages = pagedListing("tool_search", [], "best first");

/** Searches tools by relevance, without those of quarantined servers (spec 000 §4.3). */
export default endpoint("GET /api/v1/index/search", {
  summary: "Search the tools",
  access: "read",
  query: v.object({
    q: text(1000, "search text"),
    query: text(1000, "same as `query`"),
    limit: clamped(1, 100, 10),
    offset: clamped(0, 10_000, 0),
    cursor: cursorText,
  }),
  data: ToolSearch,
  async run({ app, query: { q, query = q, limit, offset, cursor }, caller, signal }) {
    if (!query?.trim()) throw new Fault("invalid_request", { reason: "q: is required" });
    const choose = pages.choose({ query, limit, offset, cursor });
    const { results, ...page } = await searchTools(app, query, { limit, offset, choose, signal }, caller);
    return { query, results, ...page, limit, offset };
  },
});
