import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { tokenCaller } from "#lib/core/verbs/tokens/verify.ts";
import { findAllowedRequest } from "#lib/modules/authorization-server/client-request.ts";
import { listServerSignIns } from "#lib/modules/authorization-server/server-sign-ins.ts";

/** What the page after the consent page shows: the servers at which the person has to sign in for the client. */
export default endpoint("GET /ui/consent/{uid}/servers", {
  summary: "List the servers at which a person has to sign in for an allowed MCP client",
  access: "person",
  data: v.object({
    client: v.object({ name: v.string() }),
    redirect_to: v.pipe(v.string(), v.description("URL that leads the browser back to the client")),
    servers: v.array(
      v.object({
        name: v.string(),
        state: v.pipe(v.picklist(["needed", "pending"]), v.description("`pending`: a sign-in is under way")),
        reason: v.optional(v.string()),
        connect_path: v.optional(
          v.pipe(
            v.string(),
            v.description("where the user begins a sign-in of the user's own; absent: `POST /servers/{name}/login`"),
          ),
        ),
      }),
    ),
  }),
  faults: ["client_sign_in_disabled", "client_sign_in_over"],
  async run({ app, caller, c, params }) {
    c.header("Cache-Control", "no-store");
    const { grant, returnTo } = await findAllowedRequest(app, c, params.uid, caller);
    const signIns = await listServerSignIns(app, caller, tokenCaller(app, grant.row).scope);
    return {
      client: { name: grant.row.clientGrant.client.name },
      redirect_to: returnTo,
      servers: signIns.map(({ server, state, reason, connectPath }) => ({
        name: server,
        state,
        ...(reason !== undefined && { reason }),
        ...(connectPath !== undefined && { connect_path: connectPath }),
      })),
    };
  },
});
