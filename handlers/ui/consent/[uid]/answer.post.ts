import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { strictMembers } from "#lib/core/api/strict.ts";
import { allowClient, denyClient } from "#lib/modules/authorization-server/answer-client.ts";

/** Takes the person's answer to a client that asks for access. Only pages of the panel can send it. */
export default endpoint("POST /ui/consent/{uid}/answer", {
  summary: "Allow or deny an MCP client access",
  access: "person",
  body: strictMembers({
    allow: v.boolean(),
    permissions: v.optional(v.array(v.picklist(["read", "write", "destructive"])), ["read"]),
    servers: v.optional(v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(1000)), ["*"]),
    profile: v.optional(v.string()),
    days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(365)), 30),
  }),
  data: v.object({
    redirect_to: v.pipe(v.string(), v.description("URL to which the browser must go")),
    sign_ins: v.pipe(
      v.number(),
      v.description("servers at which the person should sign in first; see `GET /ui/consent/{uid}/servers`"),
    ),
  }),
  faults: ["client_sign_in_disabled", "client_sign_in_over", "token_limit", "already_exists"],
  async run({ app, by, c, params, body: { allow, ...answer } }) {
    c.header("Cache-Control", "no-store");
    const { uid } = params;
    const { returnTo, signIns } = allow
      ? await allowClient(app, c, uid, answer, by)
      : await denyClient(app, c, uid, by);
    return { redirect_to: returnTo, sign_ins: signIns };
  },
});
