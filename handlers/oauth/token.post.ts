import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { readForm } from "#lib/core/api/read-json-body.ts";
import { askOAuth, MAX_OAUTH_BODY_BYTES } from "#lib/modules/authorization-server/ask-oauth.ts";
import { limitSecretGuesses } from "#lib/modules/authorization-server/limit-secret-guesses.ts";
import { tokenFailure } from "#lib/modules/authorization-server/oauth-failure.ts";

/** Exchanges a code or a refresh token for an access token (RFC 6749 §4.1.3, §6). */
export default endpoint("POST /oauth/token", {
  summary: "Issue an access token to an MCP client",
  access: "open",
  crossOrigin: true,
  form: true,
  data: v.looseObject({
    access_token: v.pipe(v.string(), v.description("secret of an agent token")),
    token_type: v.string(),
    expires_in: v.number(),
    refresh_token: v.optional(v.string()),
    scope: v.optional(v.string()),
  }),
  answers: { bare: true },
  failure: tokenFailure,
  faults: ["client_sign_in_disabled", "client_sign_in_busy", "body_too_large", "unsupported_media_type"],
  async run({ app, c }) {
    const form = await readForm(c.req.raw, MAX_OAUTH_BODY_BYTES);
    // A renewed token has the rights of its grant, which only a person changes.
    if (form.get("grant_type") === "refresh_token") form.delete("scope");
    const request = { method: "POST", target: "/oauth/token", body: form.toString() } as const;
    return limitSecretGuesses(app, c, form, () => askOAuth(app, c, request));
  },
});
