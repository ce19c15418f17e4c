import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { describeRequest, findClientRequest } from "#lib/modules/authorization-server/client-request.ts";

const Permissions = v.array(v.picklist(["read", "write", "destructive"]));

/** What the consent page shows: which client asks for what, and what the person can allow. */
export default endpoint("GET /ui/consent/{uid}/request", {
  summary: "Get the request of an MCP client that asks for access",
  access: "person",
  data: v.object({
    client: v.object({
      id: v.string(),
      name: v.string(),
      host: v.optional(v.pipe(v.string(), v.description("host that publishes a client with this id"))),
    }),
    is_proven: v.pipe(v.boolean(), v.description("whether the client is proven to be the one that `host` publishes")),
    returns_to: v.pipe(v.string(), v.description("host or app to which the browser returns")),
    is_local: v.pipe(v.boolean(), v.description("whether that is a program on the person's computer")),
    person: v.string(),
    permissions: Permissions,
    servers: v.array(v.string()),
    profiles: v.array(v.string()),
    profile: v.optional(v.pipe(v.string(), v.description("profile of the endpoint that the client asks for"))),
    max_lifetime_days: v.number(),
    before: v.optional(
      v.object({
        at: v.string(),
        permissions: Permissions,
        servers: v.array(v.string()),
        profile: v.optional(v.string()),
      }),
    ),
  }),
  faults: ["client_sign_in_disabled", "client_sign_in_over"],
  async run({ app, caller, c, params }) {
    c.header("Cache-Control", "no-store");
    return describeRequest(app, caller, await findClientRequest(app, c, params.uid));
  },
});
