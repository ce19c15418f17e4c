import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { TokenEntry } from "#lib/core/schema/token-entry.ts";
import { revokeOwn } from "#lib/modules/team/tokens.ts";

export default endpoint("DELETE /api/v1/user/tokens/{name}", {
  summary: "Revoke one of the user's agent tokens",
  access: "user",
  data: v.object({ token: TokenEntry, message: v.string() }),
  faults: ["no_such_record"],
  async run({ app, params: { name }, by }) {
    return { token: await revokeOwn(app, name, by), message: `agent token "${name}": revoked` };
  },
});
