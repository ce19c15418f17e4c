import assert from "node:assert/strict";
import { test } from "node:test";
import { oauthFields } from "#cli/oauth-fields.ts";

const ROWS: [given: string[], fields: object][] = [
  [["client_id=abc", "client_secret=${keyring:s}"], { client_id: "abc", client_secret: "${keyring:s}" }],
  [["scopes=read write,admin"], { scopes: ["read", "write", "admin"] }],
  [["extra_params.audience=a=b"], { extra_params: { audience: "a=b" } }],
  [
    ["client_id=", "scopes=", "extra_params.audience="],
    { client_id: null, scopes: null, extra_params: { audience: null } },
  ],
];
for (const [given, fields] of ROWS)
  test(`${given.join(" ")} says how to sign in at a server`, () => {
    assert.deepEqual(oauthFields(given), fields);
  });

test("what is no setting of a sign-in is refused with those there are", () => {
  assert.throws(
    () => oauthFields(["clientid=x"]),
    /--oauth has no "clientid"; use grant, client_id, .*scopes, extra_params\.<name>/,
  );
  assert.throws(() => oauthFields(["extra_params.=x"]), /--oauth has no/);
  assert.throws(() => oauthFields(["client_id"]), /--oauth must have the form NAME=value/);
});
