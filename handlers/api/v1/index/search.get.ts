import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { cursorText, pagedListing, pageMembers } from "#lib/core/api/listing.ts";
import { clamped, text } from "#lib/core/api/query.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { ToolEntry } from "#lib/core/schema/tool-entry.ts";
import { searchTools } from "#lib/core/verbs/tools/search.ts";

const pages = pagedListing("tool_search", [], "best first");
const count = v.optional(v.number());
const Withheld = v.object({
  quarantined: count,
  pending_approval: count,
  changed: count,
  disabled: count,
  permission_denied: count,
  filtered: count,
});

/** Tools by relevance; those of quarantined servers are withheld (spec 000 §4.3). */
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
  data: v.object({
    query: v.string(),
    results: v.pipe(v.array(v.object({ tool: ToolEntry, score: v.number() })), v.description("best first")),
    ...pageMembers,
    limit: v.number(),
    offset: v.number(),
    has_more: v.pipe(
      v.boolean(),
      v.description("there are more matches; request them with `next_cursor` or a higher offset"),
    ),
    withheld: v.pipe(v.optional(Withheld), v.description("number of hidden matches, by reason")),
    notice: v.pipe(v.optional(v.string()), v.description("the hidden matches and the remedy, in words")),
  }),
  async run({ app, query: { q, query = q, limit, offset, cursor }, caller, signal }) {
    if (!query?.trim()) throw new Fault("invalid_request", { reason: "q: is required" });
    const choose = pages.choose({ query, limit, offset, cursor });
    const { results, ...page } = await searchTools(app, query, { limit, offset, choose, signal }, caller);
    return { query, results, ...page, limit, offset };
  },
});
