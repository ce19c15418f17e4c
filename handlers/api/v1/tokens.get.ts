import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { fieldsParameter, pickFields } from "#lib/core/api/fields.ts";
import { pagedListing } from "#lib/core/api/listing.ts";
import { word } from "#lib/core/api/query.ts";
import { pageMembers, rowsByMembers } from "#lib/core/schema/list-page.ts";
import { TokenEntry } from "#lib/core/schema/token-entry.ts";
import { listTokens } from "#lib/core/verbs/tokens/list.ts";
import { mcpAuthRequired } from "#lib/core/verbs/tokens/mcp-auth-required.ts";

const pages = pagedListing("tokens", ["name", "created_at", "expires_at", "last_used_at", "owner"], "name");

export default endpoint("GET /api/v1/tokens", {
  summary: "List agent tokens",
  access: "admin",
  query: v.object({
    state: word(["active", "expired", "revoked"], "only tokens with this status"),
    ...pages.query,
    fields: fieldsParameter(TokenEntry),
  }),
  data: v.object({
    tokens: v.array(TokenEntry),
    ...pageMembers,
    mcp_auth_required: v.pipe(v.boolean(), v.description("`false`: `/mcp` also accepts clients without a credential")),
  }),
  answers: { sparse: "tokens" },
  async run({ app, query }) {
    const matching = listTokens(app).filter((token) => query.state === undefined || stateOf(token) === query.state);
    const { rows, ...page } = await pages.choose(query)(rowsByMembers(matching, "name"));
    const tokens = rows.map((token) => pickFields(token, query.fields));
    return { tokens, ...page, mcp_auth_required: mcpAuthRequired(app) };
  },
});

function stateOf({ revoked, expired }: TokenEntry): "active" | "expired" | "revoked" {
  if (revoked) return "revoked";
  return expired ? "expired" : "active";
}
