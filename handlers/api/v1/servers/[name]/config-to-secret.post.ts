import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ValueToSecret } from "#lib/core/schema/secret-shapes.ts";
import { findSecret } from "#lib/modules/vault/list.ts";
import { toSecret } from "#lib/modules/vault/to-secret.ts";

/** Moves a value from a server's definition to the keyring (spec 000 §4.2). */
export default endpoint("POST /api/v1/servers/{name}/config-to-secret", {
  summary: "Move a header or variable into the keyring",
  access: "admin",
  creates: true,
  body: ValueToSecret,
  data: v.object({
    message: v.string(),
    reference: v.pipe(v.string(), v.description("reference that replaces the value")),
  }),
  faults: ["server_not_found", "no_such_record", "already_exists", "secret_unwritable", "management_disabled"],
  async run({ app, params: { name }, body, by }) {
    const reference = await toSecret(app, name, body, by);
    const { backend } = await findSecret(app, body.secret_name);
    const where = backend === "keyring" ? "in the system's keyring" : "in the encrypted file of the data directory";
    const message = `${body.scope} ${body.key} of ${name} is now stored as secret "${body.secret_name}" ${where}`;
    return { message, reference };
  },
});
