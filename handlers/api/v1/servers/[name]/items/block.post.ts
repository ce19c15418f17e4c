import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { LISTED_KINDS } from "#lib/core/schema/item.ts";
import { blockItems } from "#lib/core/verbs/items/block-items.ts";

const about = v.description;
const Kind = v.picklist(LISTED_KINDS);

/** Blocks prompts, resources or templates: they are hidden from MCP clients until they are approved. */
export default endpoint("POST /api/v1/servers/{name}/items/block", {
  summary: "Block prompts, resources and resource templates of one server",
  access: "admin",
  validates: true,
  body: v.object({
    kinds: v.pipe(v.array(Kind), v.minLength(1), about("kinds in which the names are looked up")),
    names: v.pipe(v.array(v.string()), about("names, URIs or URI templates, as the server writes them")),
  }),
  data: v.object({ blocked: v.array(v.object({ kind: Kind, name: v.string() })) }),
  faults: ["server_not_found", "items_not_found", "management_disabled"],
  async run({ app, params, body, by }) {
    return { blocked: await blockItems(app, params.name, body.kinds, body.names, by) };
  },
});
