import { endpoint } from "#lib/core/api/endpoint.ts";
import { IssuedToken, NewToken } from "#lib/core/schema/token-entry.ts";
import { createOwn } from "#lib/modules/team/tokens.ts";

/** Issues a token for a user's MCP clients; it never has more rights than its owner at that moment. */
export default endpoint("POST /api/v1/user/tokens", {
  summary: "Create an agent token for the user",
  access: "user",
  creates: true,
  body: NewToken,
  data: IssuedToken,
  answers: { status: 201 },
  faults: ["already_exists", "token_limit"],
  async run({ app, body, by, c }) {
    const issued = await createOwn(app, body, by);
    c.status(201);
    return issued;
  },
});
