import assert from "node:assert/strict";
import { test } from "node:test";
import { isSecretHeader, isSecretName, isSecretQuery, isSecretVariable } from "#lib/core/secrets/mask/names.ts";
import { verifies } from "#test/kit/verifies.ts";

const all = (names: string, is: (name: string) => boolean, expected: boolean) => {
  for (const name of names.trim().split(/\s+/)) assert.equal(is(name), expected, name);
};

verifies(["rest.redact.headers", "rest.redact.by-name"], "credential headers are known in any case", () => {
  all(
    `Authorization authorization Proxy-Authorization X-Api-Key x-api-key X-API-KEY ApiKey api_key Cookie Set-Cookie
     X-Access-Token X-Refresh-Token X-Auth-Token PRIVATE-TOKEN X-Goog-Api-Key Ocp-Apim-Subscription-Key X-Auth
     X-Client-Secret X-Amz-Security-Token X-Hub-Signature DD-API-KEY X-Password X-Jwt-Assertion`,
    isSecretHeader,
    true,
  );
  all(
    "Accept Content-Type User-Agent X-Request-Id Mcp-Session-Id Host X-Forwarded-For Author Cache-Control",
    isSecretHeader,
    false,
  );
});

verifies("rest.redact.by-name", "names are read as words in every spelling", () => {
  all(
    `GITHUB_TOKEN githubToken github-token accessToken access_token --api-key api_key apiKey APIKEY client_secret
     clientSecret DB_PASSWORD dbPasswd PGPASSWORD passphrase credentials aws_secret_access_key AWS_ACCESS_KEY_ID
     private_key ssl_cert auth_header bearer session_cookie jwt DATABASE_DSN AZURE_STORAGE_CONNECTION_STRING CONN_STR
     AccountKey SharedAccessKey x-functions-key MYAPITOKEN DBPASSWORD`,
    isSecretName,
    true,
  );
  all(
    `KEYBOARD AUTHOR monkey compass tokenizer max_tokens token_limit tokenCount token_type token_url
     authorization_endpoint password_file secret_name public_key primary_key sort_key key auth pass cert name url
     description tokens`,
    isSecretName,
    false,
  );
  assert.ok(!isSecretName(""));
});

test("a weak word alone is secret for variables and flags, not in prose (spec 000 §2.9 rule 4)", () => {
  all("KEY key auth pass cert sig --key", isSecretVariable, true);
  all("KEYBOARD name author token_limit", isSecretVariable, false);
});

verifies(
  "rest.redact.query",
  "query parameters are known without case, hyphen, underscore and percent-encoding",
  () => {
    all(
      `access_token refresh_token id_token token authtoken client_secret secret code password assertion sig signature
     credential key apikey api-key API_KEY X-Amz-Credential X-Amz-Signature X-Amz-Security-Token security_token
     session-token access%5Ftoken ACCESSTOKEN auth jwt`,
      isSecretQuery,
      true,
    );
    all("page q limit v state redirect_uri sort keyboard %zz", isSecretQuery, false);
  },
);

test("a name of any length is read in bounded time", () => {
  for (const name of ["a".repeat(1e6), "aB".repeat(5e5), "_".repeat(1e6), "tokenx".repeat(2e5)])
    for (const is of [isSecretName, isSecretHeader, isSecretQuery]) assert.equal(typeof is(name), "boolean");
});
