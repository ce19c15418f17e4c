import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { fieldsParameter, pickFields } from "#lib/core/api/fields.ts";
import { pagedListing } from "#lib/core/api/listing.ts";
import { pageMembers, rowsByMembers } from "#lib/core/schema/list-page.ts";
import { RegistryRecord } from "#lib/core/schema/registry.ts";
import { listRegistries } from "#lib/modules/registry/list.ts";

const pages = pagedListing("registries", ["id", "name", "count", "provenance"], "built-in ones first");

/** The registries from which servers can be installed (spec 000 §4.4). */
export default endpoint("GET /api/v1/registries", {
  summary: "List the registries",
  access: "read",
  query: v.object({ ...pages.query, fields: fieldsParameter(RegistryRecord) }),
  data: v.object({ registries: v.array(RegistryRecord), ...pageMembers }),
  answers: { sparse: "registries" },
  async run({ app, caller, query }) {
    const { rows, ...page } = await pages.choose(query)(rowsByMembers(await listRegistries(app, caller), "id"));
    return { registries: rows.map((registry) => pickFields(registry, query.fields)), ...page };
  },
});
