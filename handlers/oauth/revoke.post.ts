import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { readForm } from "#lib/core/api/read-json-body.ts";
import { askOAuth, MAX_OAUTH_BODY_BYTES } from "#lib/modules/authorization-server/ask-oauth.ts";
import { limitSecretGuesses } from "#lib/modules/authorization-server/limit-secret-guesses.ts";
import { revocationFailure } from "#lib/modules/authorization-server/oauth-failure.ts";

/** Ends a client's access (RFC 7009): the access tokens and the refresh token of the sign-in. */
export default endpoint("POST /oauth/revoke", {
  summary: "Revoke the token of an MCP client",
  access: "open",
  crossOrigin: true,
  form: true,
  data: v.pipe(v.string(), v.description("empty, whether or not the token existed")),
  answers: { json: false },
  failure: revocationFailure,
  faults: ["client_sign_in_disabled", "client_sign_in_busy", "body_too_large", "unsupported_media_type"],
  async run({ app, c }) {
    const form = await readForm(c.req.raw, MAX_OAUTH_BODY_BYTES);
    const request = { method: "POST", target: "/oauth/revoke", body: form.toString() } as const;
    return limitSecretGuesses(app, c, form, () => askOAuth(app, c, request));
  },
});
