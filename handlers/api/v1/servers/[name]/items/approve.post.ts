import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { LISTED_KINDS } from "#lib/core/schema/item.ts";
import { ItemRelease } from "#lib/core/schema/item-entry.ts";
import { approveItems } from "#lib/core/verbs/items/approve-items.ts";

const about = v.description;

/** Approves new or changed prompts, resources or templates. */
export default endpoint("POST /api/v1/servers/{name}/items/approve", {
  summary: "Approve pending or changed prompts, resources and resource templates of one server",
  access: "admin",
  validates: true,
  body: v.object({
    kinds: v.pipe(v.array(v.picklist(LISTED_KINDS)), v.minLength(1), about("kinds in which the names are looked up")),
    names: v.optional(v.pipe(v.array(v.string()), about("names, URIs or URI templates, as the server writes them"))),
    all: v.optional(v.pipe(v.boolean(), about("all that wait, instead of names"))),
    pins: v.optional(
      v.pipe(v.record(v.string(), v.string()), about("pin that was reviewed, by name; others stay as they are")),
    ),
    accept_findings: v.optional(
      v.pipe(v.array(v.string()), about("names whose findings of high or critical severity are accepted")),
    ),
  }),
  data: ItemRelease,
  faults: ["server_not_found", "items_not_found", "management_disabled"],
  async run({ app, params, body, by }) {
    const { kinds, names, all, pins, accept_findings: acceptFindings } = body;
    if ((names === undefined) === (all !== true)) throw new Fault("invalid_request", { reason: "give names, or all" });
    return await approveItems(app, params.name, kinds, names ?? "all", { pins, acceptFindings }, by);
  },
});
