import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "#lib/core/base/fault.ts";
import { tokenFailure } from "#lib/modules/authorization-server/oauth-failure.ts";
import { withApp } from "#test/kit/app.ts";
import { type As, ask } from "#test/kit/http.ts";
import { WITH_SIGN_IN } from "#test/kit/oauth.ts";

const FORM = { as: { "content-type": "application/x-www-form-urlencoded" } };
const LARGE = "x".repeat(40_000);

type Request = readonly [line: string, sent: { body?: unknown } & As, status: number, error: string];

const ENABLED: readonly Request[] = [
  ["POST /oauth/token", { body: { grant_type: "refresh_token" } }, 400, "invalid_request"],
  ["POST /oauth/token", { ...FORM, body: new Uint8Array([255]) }, 400, "invalid_request"],
  ["POST /oauth/token", { ...FORM, body: LARGE }, 413, "invalid_request"],
  ["POST /oauth/token?code=x", { ...FORM, body: "grant_type=x" }, 400, "invalid_request"],
  ["POST /oauth/token", { ...FORM, body: "grant_type=refresh_token&client_id=nobody" }, 401, "invalid_client"],
  ["POST /oauth/token", { as: { ...FORM.as, host: "evil.example" }, body: "grant_type=x" }, 403, "access_denied"],
  ["POST /oauth/revoke", { body: { token: "x" } }, 400, "invalid_request"],
  ["POST /oauth/revoke", { ...FORM, body: LARGE }, 413, "invalid_request"],
  ["POST /oauth/register", { ...FORM, body: "a=b" }, 400, "invalid_client_metadata"],
  ["POST /oauth/register", { body: "{" }, 400, "invalid_client_metadata"],
  ["POST /oauth/register", { body: { redirect_uris: [] } }, 400, "invalid_redirect_uri"],
  ["POST /oauth/register", { body: { redirect_uris: [LARGE] } }, 413, "invalid_client_metadata"],
];

const DISABLED: readonly Request[] = ["token", "revoke", "register"].map((name) => [
  `POST /oauth/${name}`,
  name === "register" ? { body: { redirect_uris: ["https://a.example/b"] } } : { ...FORM, body: "token=x" },
  404,
  "access_denied",
]);

for (const [name, config, requests] of [
  ["enabled", WITH_SIGN_IN, ENABLED],
  ["disabled", {}, DISABLED],
] as const)
  test(`each failure of an endpoint of OAuth has its form, as the API description says (sign-in ${name})`, () =>
    withApp({ connect: false, ...config }, async (app) => {
      for (const [line, sent, status, error] of requests) {
        // Compares the answer with the API description, too.
        const answer = await ask(app, line, sent);
        const what = `${line} ${JSON.stringify(sent).slice(0, 100)} ${JSON.stringify(answer.body)}`;

        assert.deepEqual([answer.status, answer.body.error], [status, error], what);
        assert.deepEqual(Object.keys(answer.body), ["error", "error_description"], what);
        assert.equal(answer.headers.get("cache-control"), "no-store", what);
        assert.equal(answer.headers.get("access-control-allow-origin"), "*", what);
      }
    }));

test("a body of another type is refused with the type that the endpoint reads", () =>
  withApp({ connect: false, ...WITH_SIGN_IN }, async (app) => {
    const { body } = await ask(app, "POST /oauth/token", { body: {} });

    assert.match(body.error_description, /; send Content-Type: application\/x-www-form-urlencoded$/);
  }));

test("an error description contains only the characters that OAuth allows", () => {
  const { body } = tokenFailure.report(new Fault("invalid_request", { reason: 'the "ä\\\n' }));

  assert.match(Object.values(body).join(""), /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
});
