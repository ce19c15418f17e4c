import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { TokenEntry } from "#lib/shape/token-entry.ts";
import { list } from "#lib/tokens/list.ts";
import { mcpAuthRequired } from "#lib/tokens/mcp-auth-required.ts";

export default endpoint("GET /api/v1/tokens", {
  summary: "List agent tokens",
  access: "admin",
  data: v.object({
    tokens: v.array(TokenEntry),
    mcp_auth_required: v.pipe(v.boolean(), v.description("false: `/mcp` also admits clients without a credential")),
  }),
  run: ({ app }) => ({ tokens: list(app), mcp_auth_required: mcpAuthRequired(app) }),
});
