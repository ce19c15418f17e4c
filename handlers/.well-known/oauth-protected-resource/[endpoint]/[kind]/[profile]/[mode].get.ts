import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { anyQuery } from "#lib/core/api/query.ts";
import { answerResourceMetadata } from "#lib/modules/authorization-server/answer-resource-metadata.ts";

/** Where clients of this endpoint sign in (RFC 9728). */
export default endpoint("GET /.well-known/oauth-protected-resource/{endpoint}/{kind}/{profile}/{mode}", {
  summary: "Get the OAuth metadata of an MCP endpoint such as /mcp/p/work/all",
  access: "open",
  crossOrigin: true,
  query: anyQuery,
  data: v.looseObject({ resource: v.string(), authorization_servers: v.array(v.string()) }),
  answers: { bare: true },
  faults: ["client_sign_in_disabled", "no_such_route"],
  run: ({ app, c }) => answerResourceMetadata(app, c),
});
