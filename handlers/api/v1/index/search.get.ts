import * as v from "valibot";
import { Fault } from "#lib/base/fault.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import { clamped, text } from "#lib/http/query.ts";
import { ToolEntry } from "#lib/shape/tool-entry.ts";
import { search } from "#lib/tools/search.ts";

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
    q: text(1000, "what to look for"),
    query: text(1000, "the same"),
    limit: clamped(1, 100, 10),
    offset: clamped(0, 10_000, 0),
  }),
  data: v.object({
    query: v.string(),
    results: v.pipe(v.array(v.object({ tool: ToolEntry, score: v.number() })), v.description("best first")),
    total: v.pipe(v.number(), v.description("how many are on this page")),
    limit: v.number(),
    offset: v.number(),
    has_more: v.pipe(v.boolean(), v.description("there are matches after these; ask with a higher offset")),
    withheld: v.pipe(v.optional(Withheld), v.description("how many matches may not be shown, by why")),
    notice: v.pipe(v.optional(v.string()), v.description("the same as a sentence that says what to do")),
  }),
  run({ app, query: { q, query = q, limit, offset }, caller }) {
    if (!query?.trim()) throw new Fault("invalid_request", { reason: "q: say what to look for" });
    const { results, ...left } = search(app, query, { limit, offset }, caller);
    return { query, results, total: results.length, limit, offset, ...left };
  },
});
