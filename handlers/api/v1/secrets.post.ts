import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { SecretShape } from "#lib/core/schema/secret-shapes.ts";
import { store } from "#lib/modules/vault/store.ts";

/** Stores a secret; connected servers that use it reconnect. */
export default endpoint("POST /api/v1/secrets", {
  summary: "Store a secret",
  access: "admin",
  validates: true,
  creates: true,
  body: v.object({
    name: v.pipe(v.string(), v.description("1 to 128 letters, digits, dots, dashes or underscores")),
    value: v.pipe(v.string(), v.description("value of the secret; never shown again")),
  }),
  data: v.object({ ...SecretShape.entries, message: v.string() }),
  faults: ["echoed_mask", "secret_unwritable", "management_disabled"],
  async run({ app, body: { name, value }, by }) {
    const stored = await store(app, name, value, by);
    return { ...stored, message: `secret "${name}" stored; reference it as ${stored.reference}` };
  },
});
