import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { cursorText, pagedListing } from "#lib/core/api/listing.ts";
import { clamped } from "#lib/core/api/query.ts";
import { RegistrySearch } from "#lib/core/schema/registry.ts";
import { search } from "#lib/modules/registry/search.ts";

const pages = pagedListing("registry_servers", [], "best first");
const text = (description: string) => v.optional(v.pipe(v.string(), v.maxLength(200), v.description(description)));

/** Searches the servers of one registry; uses cached entries if it cannot be reached (spec 000 §4.4). */
export default endpoint("GET /api/v1/registries/{id}/servers", {
  summary: "Search the servers of a registry",
  access: "read",
  query: v.object({
    search: text("words to find in name or description"),
    q: text("alias of `search`"),
    tag: text("only servers with this tag, such as npm, pypi, oci or remote"),
    limit: clamped(1, 1000, 10),
    cursor: cursorText,
  }),
  data: RegistrySearch,
  faults: ["registry_not_found", "invalid_registry_url"],
  async run({ app, caller, params: { id }, query: { search: searchText, q, tag, limit, cursor }, signal }) {
    const words = searchText ?? q;
    const choose = pages.choose({ id, words, tag, limit, cursor });
    return { ...(await search(app, id, { search: words, tag, limit, choose }, caller, signal)), limit };
  },
});
