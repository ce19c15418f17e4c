import { endpoint } from "#lib/http/endpoint.ts";
import { IssuedToken, NewToken } from "#lib/shape/token-entry.ts";
import { create } from "#lib/tokens/create.ts";

/** Issues an agent token; the secret is told this once (reference 1.6). */
export default endpoint("POST /api/v1/tokens", {
  summary: "Create an agent token",
  access: "admin",
  body: NewToken,
  data: IssuedToken,
  answers: { status: 201 },
  faults: ["already_exists", "token_limit"],
  async run({ app, body, by, c }) {
    const issued = await create(app, body, by);
    c.status(201);
    return issued;
  },
});
