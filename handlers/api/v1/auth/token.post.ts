import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { rfc3339 } from "#lib/core/base/clock.ts";
import { issueBearer } from "#lib/modules/team/bearer.ts";

/** A bearer token for REST, for programs of a signed-in user; never for MCP (spec 001 §5). */
export default endpoint("POST /api/v1/auth/token", {
  summary: "Create a bearer token for REST",
  access: "user",
  creates: true,
  flat: true,
  data: v.object({ token: v.pipe(v.string(), v.description("secret value; shown only once")), expires_at: v.string() }),
  async run({ app, caller, c }) {
    const { token, expires_at } = await issueBearer(app, caller);
    c.header("Cache-Control", "no-store");
    return { token, expires_at: rfc3339(expires_at) };
  },
});
