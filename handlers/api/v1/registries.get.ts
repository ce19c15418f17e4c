import * as v from "valibot";
import { byMembers } from "#lib/base/page.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import { fieldsOf, onlyFields } from "#lib/http/fields.ts";
import { listing, pageMembers } from "#lib/http/listing.ts";
import { list } from "#lib/registry/list.ts";
import { RegistryRecord } from "#lib/shape/registry.ts";

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
