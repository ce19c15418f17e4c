import { endpoint } from "#lib/core/api/endpoint.ts";
import { TokenSavings } from "#lib/core/schema/token-savings.ts";
import { tokenSavings } from "#lib/core/verbs/tools/savings.ts";

/** The tokens that clients save by searching for tools instead of loading all of them (reference 1.3). */
export default endpoint("GET /api/v1/stats/tokens", {
  summary: "Estimate the tokens that tool search saves",
  access: "read",
  data: TokenSavings,
  run: ({ app, caller }) => tokenSavings(app, caller),
});
