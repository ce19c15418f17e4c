import { endpoint } from "#lib/core/api/endpoint.ts";
import { TokenSavings } from "#lib/core/schema/token-savings.ts";
import { tokenSavings } from "#lib/core/verbs/tools/savings.ts";

/** What clients are spared by searching for tools instead of loading them all (reference 1.3). */
export default endpoint("GET /api/v1/stats/tokens", {
  summary: "Estimate the tokens that tool search saves",
  access: "read",
  data: TokenSavings,
  run: ({ app, caller }) => tokenSavings(app, caller),
});
