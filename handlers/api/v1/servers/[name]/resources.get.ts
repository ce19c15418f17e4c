import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ItemEntry } from "#lib/core/schema/item-entry.ts";
import { listItems } from "#lib/core/verbs/items/list-items.ts";

/** The resources of one server, in its order; to callers that are not administrators, the approved ones. */
export default endpoint("GET /api/v1/servers/{name}/resources", {
  summary: "List the resources of one server",
  access: "read",
  data: v.object({
    server_name: v.string(),
    items: v.array(ItemEntry),
    count: v.pipe(v.number(), v.description("number of resources in this response")),
  }),
  faults: ["server_not_found"],
  async run({ app, params: { name }, caller }) {
    const items = await listItems(app, name, ["resource"], caller);
    return { server_name: name, items, count: items.length };
  },
});
