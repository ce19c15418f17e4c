import { endpoint } from "#lib/core/api/endpoint.ts";
import { IssuedToken } from "#lib/core/schema/token-entry.ts";
import { regenerateToken } from "#lib/core/verbs/tokens/regenerate.ts";

/** Replaces the secret; the old one becomes invalid immediately (reference 1.6). */
export default endpoint("POST /api/v1/tokens/{name}/regenerate", {
  summary: "Rotate the secret of an agent token",
  access: "admin",
  creates: true,
  data: IssuedToken,
  faults: ["no_such_record", "token_revoked"],
  run: ({ app, params, by }) => regenerateToken(app, params.name, by),
});
