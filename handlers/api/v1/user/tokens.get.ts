import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { TokenEntry } from "#lib/core/schema/token-entry.ts";
import { ownTokens } from "#lib/modules/team/tokens.ts";

export default endpoint("GET /api/v1/user/tokens", {
  summary: "List the user's own agent tokens",
  access: "user",
  data: v.object({ tokens: v.array(TokenEntry) }),
  run: ({ app, caller }) => ({ tokens: ownTokens(app, caller) }),
});
