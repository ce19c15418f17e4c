import { endpoint } from "#lib/core/api/endpoint.ts";
import { IssuedAgentToken, NewAgentToken } from "#lib/core/schema/token-entry.ts";
import { createAgentToken } from "#lib/core/verbs/tokens/create-agent-token.ts";

/** Issues an agent token; only this response contains the secret (reference 1.6). */
export default endpoint("POST /api/v1/tokens", {
  summary: "Create an agent token",
  access: "admin",
  validates: true,
  creates: true,
  body: NewAgentToken,
  data: IssuedAgentToken,
  answers: { status: 201 },
  faults: ["already_exists", "token_limit", "management_disabled", "config_invalid", "config_broken"],
  async run({ app, body, by, c }) {
    const issued = await createAgentToken(app, body, by);
    c.status(201);
    return issued;
  },
});
