import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { toSecret } from "#lib/servers/to-secret.ts";

const filled = (what: string) => v.pipe(v.string(), v.minLength(1, "is required"), v.description(what));

/** Moves a value from a server's definition into the keyring (spec 000 §4.2). */
export default endpoint("POST /api/v1/servers/{name}/config-to-secret", {
  summary: "Move a header or variable into the keyring",
  access: "admin",
  body: v.object({
    scope: v.picklist(["header", "env"], "must be header or env"),
    key: filled("name of the header or variable"),
    secret_name: filled("name it is kept under"),
  }),
  data: v.object({ message: v.string(), reference: v.pipe(v.string(), v.description("what stands in its place now")) }),
  faults: ["server_not_found", "no_such_record", "already_exists", "secret_unwritable", "management_disabled"],
  async run({ app, params: { name }, body, by }) {
    const reference = await toSecret(app, name, body, by);
    return { message: `${body.scope} ${body.key} of ${name} is kept as secret "${body.secret_name}" now`, reference };
  },
});
