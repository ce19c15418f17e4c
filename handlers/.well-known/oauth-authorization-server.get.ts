import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { anyQuery } from "#lib/core/api/query.ts";
import { serverMetadata } from "#lib/modules/authorization-server/metadata.ts";
import { requireOAuth } from "#lib/modules/authorization-server/settings.ts";

/** How MCP clients find the endpoints for their sign-in (RFC 8414). */
export default endpoint("GET /.well-known/oauth-authorization-server", {
  summary: "Get the metadata of the authorization server for MCP clients",
  access: "open",
  crossOrigin: true,
  query: anyQuery,
  data: v.looseObject({ issuer: v.string() }),
  answers: { bare: true },
  faults: ["client_sign_in_disabled"],
  run({ app, c }) {
    requireOAuth(app);
    return c.json(serverMetadata(app));
  },
});
