import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { fieldsParameter, pickFields } from "#lib/core/api/fields.ts";
import { pagedListing } from "#lib/core/api/listing.ts";
import { pageMembers, rowsByMembers } from "#lib/core/schema/list-page.ts";
import { ReferenceShape, SecretShape } from "#lib/core/schema/secret-shapes.ts";
import { listSecrets } from "#lib/modules/vault/list.ts";

const pages = pagedListing("secrets", ["name", "backend", "updated_at"], "name");

/** The stored secrets without their values, and the references in the configuration (spec 000 §4.6). */
export default endpoint("GET /api/v1/secrets", {
  summary: "List the stored secrets",
  access: "admin",
  query: v.object({ ...pages.query, fields: fieldsParameter(SecretShape) }),
  data: v.object({
    secrets: v.array(SecretShape),
    ...pageMembers,
    references: v.pipe(v.array(ReferenceShape), v.description("all references in the configuration")),
    missing: v.pipe(v.array(v.string()), v.description("references without a value")),
    backend: v.object({
      kind: v.pipe(v.picklist(["keyring", "file"]), v.description("store for new secrets")),
      reason: v.optional(v.pipe(v.string(), v.description("reason why the keyring is not used"))),
    }),
  }),
  answers: { sparse: "secrets" },
  async run({ app, query }) {
    const { secrets, ...rest } = await listSecrets(app);
    const { rows, ...page } = await pages.choose(query)(rowsByMembers(secrets, "name"));
    return { ...rest, secrets: rows.map((secret) => pickFields(secret, query.fields)), ...page };
  },
});
