import * as v from "valibot";
import { rfc3339 } from "#lib/base/clock.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import { issueBearer } from "#lib/team/bearer.ts";

/** A bearer token for REST, for programs of a signed-in user; never for MCP (spec 001 §5). */
export default endpoint("POST /api/v1/auth/token", {
  summary: "Make a bearer token for REST",
  access: "user",
  creates: true,
  flat: true,
  data: v.object({ token: v.pipe(v.string(), v.description("shown this once")), expires_at: v.string() }),
  async run({ app, caller, c }) {
    const { token, expires_at } = await issueBearer(app, caller);
    c.header("Cache-Control", "no-store");
    return { token, expires_at: rfc3339(expires_at) };
  },
});
