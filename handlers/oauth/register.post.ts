import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { MAX_OAUTH_BODY_BYTES } from "#lib/modules/authorization-server/ask-oauth.ts";
import { registrationFailure } from "#lib/modules/authorization-server/oauth-failure.ts";
import { registerClient } from "#lib/modules/authorization-server/register-client.ts";

/** Registers a client that has no metadata document (RFC 7591). */
export default endpoint("POST /oauth/register", {
  summary: "Register an MCP client",
  access: "open",
  crossOrigin: true,
  body: v.looseObject({ redirect_uris: v.optional(v.array(v.string())) }),
  bodyLimit: MAX_OAUTH_BODY_BYTES,
  data: v.looseObject({ client_id: v.string(), redirect_uris: v.array(v.string()) }),
  answers: { status: 201, bare: true },
  failure: registrationFailure,
  faults: ["client_sign_in_disabled", "client_sign_in_busy"],
  run: ({ app, c, body }) => registerClient(app, c, body),
});
