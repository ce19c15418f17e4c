import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { LISTED_KINDS } from "#lib/core/schema/item.ts";
import { ItemDiff } from "#lib/core/schema/item-diff.ts";
import { diffItem } from "#lib/core/verbs/items/diff-item.ts";

const about = v.description;

/** The approved and the current definition of a prompt, resource or template. */
export default endpoint("GET /api/v1/servers/{name}/items/diff", {
  summary: "Compare a prompt, resource or resource template with its approved definition",
  access: "read",
  query: v.object({
    kind: v.pipe(v.picklist(LISTED_KINDS, `must be one of ${LISTED_KINDS.join(", ")}`), about("kind of the item")),
    item: v.pipe(
      v.string(),
      v.maxLength(8192, "must have at most 8192 characters"),
      about("name, URI or URI template, as the server writes it"),
    ),
  }),
  data: ItemDiff,
  faults: ["server_not_found", "no_such_record"],
  run: ({ app, params, query, caller }) => diffItem(app, params.name, query.kind, query.item, caller),
});
