import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { CLASSES } from "#lib/modules/lock/drift.ts";
import { verifyLock } from "#lib/modules/lock/verify.ts";

const Class = v.pipe(
  v.picklist(CLASSES),
  v.description(
    "cosmetic; text that models read; narrowing: accepts less; widening: accepts more; capability: can do more",
  ),
);

/** Says what of the fleet differs from a lock file. */
export default endpoint("POST /api/v1/lock/verify", {
  summary: "Compare the fleet with a lock file",
  access: "admin",
  bodyLimit: 40 * 1024 * 1024,
  body: v.object({ text: v.pipe(v.string(), v.description("the lock file's text")) }),
  data: v.object({
    in_step: v.boolean(),
    worst: v.optional(Class),
    drifts: v.array(
      v.object({
        server: v.string(),
        tool: v.optional(v.string()),
        at: v.pipe(v.string(), v.description("member that differs; empty for the whole")),
        class: Class,
        what: v.string(),
      }),
    ),
    unverified: v.pipe(
      v.array(v.object({ server: v.string(), what: v.string() })),
      v.description("what is not known here and so could not be compared"),
    ),
  }),
  faults: ["lock_invalid"],
  run: ({ app, body }) => verifyLock(app, body.text),
});
