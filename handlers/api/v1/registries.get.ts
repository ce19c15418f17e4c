import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { fieldsOf, onlyFields } from "#lib/core/api/fields.ts";
import { listing, pageMembers } from "#lib/core/api/listing.ts";
import { byMembers } from "#lib/core/base/page.ts";
import { RegistryRecord } from "#lib/core/schema/registry.ts";
import { list } from "#lib/modules/registry/list.ts";

const pages = listing("registries", ["id", "name", "count", "provenance"], "built-in ones first");

/** Where servers can be installed from (spec 000 §4.4). */
export default endpoint("GET /api/v1/registries", {
  summary: "List the registries",
  access: "read",
  query: v.object({ ...pages.query, fields: fieldsOf(RegistryRecord) }),
  data: v.object({ registries: v.array(RegistryRecord), ...pageMembers }),
  answers: { sparse: "registries" },
  async run({ app, caller, query }) {
    const { rows, ...page } = await pages.choose(query)(byMembers(await list(app, caller), "id"));
    return { registries: rows.map((registry) => onlyFields(registry, query.fields)), ...page };
  },
});
