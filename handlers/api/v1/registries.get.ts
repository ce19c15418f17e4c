import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { list } from "#lib/registry/list.ts";
import { RegistryRecord } from "#lib/shape/registry.ts";

/** Where servers can be installed from (spec 000 §4.4). */
export default endpoint("GET /api/v1/registries", {
  summary: "List the registries",
  access: "read",
  data: v.object({ registries: v.array(RegistryRecord), total: v.number() }),
  async run({ app, caller }) {
    const registries = await list(app, caller);
    return { registries, total: registries.length };
  },
});
