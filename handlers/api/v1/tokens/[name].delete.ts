import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { TokenEntry } from "#lib/core/schema/token-entry.ts";
import { revokeToken } from "#lib/core/verbs/tokens/revoke.ts";

/** Revokes a token. Its record remains for later audits; `/permanent` removes it (reference 1.6). */
export default endpoint("DELETE /api/v1/tokens/{name}", {
  summary: "Revoke an agent token",
  access: "admin",
  validates: true,
  data: v.object({ token: TokenEntry, message: v.string() }),
  faults: ["no_such_record"],
  async run({ app, params, by }) {
    const token = await revokeToken(app, params.name, by);
    return { token, message: `agent token "${params.name}": revoked` };
  },
});
