import { endpoint } from "#lib/core/api/endpoint.ts";
import { IssuedToken } from "#lib/core/schema/token-entry.ts";
import { regenerateOwn } from "#lib/modules/team/tokens.ts";

/** Replaces the secret; the old one becomes invalid immediately. */
export default endpoint("POST /api/v1/user/tokens/{name}/regenerate", {
  summary: "Rotate the secret of one of the user's agent tokens",
  access: "user",
  creates: true,
  data: IssuedToken,
  faults: ["no_such_record", "token_revoked"],
  run: ({ app, params, by }) => regenerateOwn(app, params.name, by),
});
