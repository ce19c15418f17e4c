import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { clamped } from "#lib/http/query.ts";
import { search } from "#lib/registry/search.ts";
import { RegistrySearch } from "#lib/shape/registry.ts";

const text = (description: string) => v.optional(v.pipe(v.string(), v.maxLength(200), v.description(description)));

/** Searches the servers of one registry; what is known is answered where it cannot be asked (spec 000 §4.4). */
export default endpoint("GET /api/v1/registries/{id}/servers", {
  summary: "Search the servers of a registry",
  access: "read",
  query: v.object({
    search: text("words that stand in name or description"),
    q: text("another name for search"),
    tag: text("only with this tag, such as npm, pypi, oci or remote"),
    limit: clamped(1, 1000, 10),
  }),
  data: RegistrySearch,
  faults: ["registry_not_found", "invalid_registry_url"],
  run: async ({ app, caller, params: { id }, query: { search: wanted, q, tag, limit }, signal }) =>
    await search(app, id, { search: wanted ?? q, tag, limit }, caller, signal),
});
