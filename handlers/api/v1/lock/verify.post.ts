import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { LISTED_KINDS } from "#lib/core/schema/item.ts";
import { CLASSES } from "#lib/modules/lock/drift.ts";
import { verifyLock } from "#lib/modules/lock/verify.ts";

const Class = v.pipe(
  v.picklist(CLASSES),
  v.description(
    "`cosmetic`; `text`: changes text that models read; `narrowing`: accepts less; `widening`: accepts more; `capability`: can do more",
  ),
);

/** Says what of the fleet differs from a lock file. */
export default endpoint("POST /api/v1/lock/verify", {
  summary: "Compare the servers with a lock file",
  access: "admin",
  bodyLimit: 40 * 1024 * 1024,
  body: v.object({ text: v.pipe(v.string(), v.description("text of the lock file")) }),
  data: v.object({
    in_step: v.boolean(),
    worst: v.optional(Class),
    drifts: v.array(
      v.object({
        server: v.string(),
        tool: v.optional(v.string()),
        kind: v.optional(v.pipe(v.picklist(LISTED_KINDS), v.description("with `item`: what differs is no tool"))),
        item: v.optional(v.pipe(v.string(), v.description("name, URI or URI template"))),
        at: v.pipe(v.string(), v.description("member that differs; empty if the whole entry differs")),
        class: Class,
        what: v.string(),
      }),
    ),
    unverified: v.pipe(
      v.array(v.object({ server: v.string(), what: v.string() })),
      v.description("facts that are unknown here and were not compared"),
    ),
  }),
  faults: ["lock_invalid"],
  run: ({ app, body }) => verifyLock(app, body.text),
});
