import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { ReferenceShape, SecretShape } from "#lib/http/secret-shapes.ts";
import { list } from "#lib/vault/list.ts";

/** Stored secrets without their values, and what the configuration refers to (spec 000 §4.6). */
export default endpoint("GET /api/v1/secrets", {
  summary: "List the stored secrets",
  access: "admin",
  data: v.object({
    secrets: v.array(SecretShape),
    total: v.number(),
    references: v.pipe(v.array(ReferenceShape), v.description("everything the configuration refers to")),
    missing: v.pipe(v.array(v.string()), v.description("references without a value")),
    backend: v.object({
      kind: v.pipe(v.picklist(["keyring", "file"]), v.description("where new ones are kept")),
      reason: v.optional(v.pipe(v.string(), v.description("why not in the keyring"))),
    }),
  }),
  run: async ({ app }) => await list(app),
});
