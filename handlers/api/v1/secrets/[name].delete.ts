import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { SecretUses } from "#lib/core/schema/secret-shapes.ts";
import { remove } from "#lib/modules/vault/store.ts";

/** Deletes a secret. A secret in use requires `force`; the response lists the remaining references. */
export default endpoint("DELETE /api/v1/secrets/{name}", {
  summary: "Remove a secret",
  access: "admin",
  validates: true,
  query: v.object({
    force: v.optional(
      v.pipe(
        v.picklist(["true", "false"]),
        v.description("remove the secret even if the configuration references it (default: false)"),
      ),
      "false",
    ),
  }),
  data: v.object({ name: v.string(), used_by: SecretUses, message: v.string() }),
  faults: ["no_such_record", "secret_in_use", "secret_unwritable", "management_disabled"],
  async run({ app, params: { name }, query, by }) {
    const used_by = await remove(app, name, by, { force: query.force === "true" });
    const still = used_by.length > 0 ? `; ${used_by.length} place(s) in the configuration still reference it` : "";
    return { name, used_by, message: `secret "${name}" removed${still}` };
  },
});
