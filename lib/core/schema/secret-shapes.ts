import * as v from "valibot";

const about = v.description;

const uses = v.pipe(
  v.array(
    v.object({
      server: v.optional(v.pipe(v.string(), about("server; absent for a setting of the proxy"))),
      field: v.pipe(v.string(), about("path within the server's entry")),
    }),
  ),
  about("places in the configuration that reference it"),
);

/** Metadata of a stored secret, without its value (spec 000 §4.6). */
export const SecretShape = v.object({
  name: v.string(),
  reference: v.pipe(v.string(), about("reference to it in the configuration")),
  backend: v.pipe(v.picklist(["keyring", "file"]), about("store of its value")),
  updated_at: v.optional(v.string()),
  used_by: uses,
});

const filled = (description: string) => v.pipe(v.string(), v.minLength(1, "is required"), about(description));

/** A header or environment variable of a server, and the name of the secret that its value is moved to. */
export const ValueToSecret = v.object({
  scope: v.picklist(["header", "env"], "must be header or env"),
  key: filled("name of the header or variable"),
  secret_name: filled("name of the secret"),
});
export type ValueToSecret = v.InferOutput<typeof ValueToSecret>;

/** A secret or environment variable that the configuration references. */
export const ReferenceShape = v.object({
  reference: v.string(),
  type: v.picklist(["keyring", "env"]),
  name: v.string(),
  is_set: v.boolean(),
  used_by: uses,
});

export const SecretUses = uses;
