import { endpoint } from "#lib/http/endpoint.ts";
import { IssuedToken } from "#lib/shape/token-entry.ts";
import { regenerateOwn } from "#lib/team/tokens.ts";

/** A new secret in place of the old one, which ends at once. */
export default endpoint("POST /api/v1/user/tokens/{name}/regenerate", {
  summary: "Give an agent token of one's own a new secret",
  access: "user",
  creates: true,
  data: IssuedToken,
  faults: ["no_such_record", "token_revoked"],
  run: ({ app, params, by }) => regenerateOwn(app, params.name, by),
});
