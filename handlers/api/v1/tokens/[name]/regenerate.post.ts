import { endpoint } from "#lib/http/endpoint.ts";
import { IssuedToken } from "#lib/shape/token-entry.ts";
import { regenerate } from "#lib/tokens/regenerate.ts";

/** A new secret in place of the old one, which ends at once (reference 1.6). */
export default endpoint("POST /api/v1/tokens/{name}/regenerate", {
  summary: "Give an agent token a new secret",
  access: "admin",
  creates: true,
  data: IssuedToken,
  faults: ["no_such_record", "token_revoked"],
  run: ({ app, params, by }) => regenerate(app, params.name, by),
});
