import { endpoint } from "#lib/core/api/endpoint.ts";
import { SecretShape } from "#lib/core/schema/secret-shapes.ts";
import { findSecret } from "#lib/modules/vault/list.ts";

/** The record of one secret, never its value (spec 000 §4.6). */
export default endpoint("GET /api/v1/secrets/{name}", {
  summary: "Show a secret's metadata",
  access: "admin",
  data: SecretShape,
  faults: ["no_such_record"],
  run: async ({ app, params }) => await findSecret(app, params.name),
});
