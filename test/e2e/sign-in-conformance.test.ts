import { before, test } from "node:test";
import { KEY, serve, wholeFile } from "./daemon.ts";
import { assertPassed, clientChecks, suiteProgram } from "./suite.ts";

/** The official suite's scenarios of how a client signs in, for each revision that has them; the proxy is that client. */
const BOTH = [
  "metadata-default",
  "metadata-var1",
  "metadata-var2",
  "metadata-var3",
  "basic-cimd",
  "scope-from-www-authenticate",
  "scope-from-scopes-supported",
  "scope-omitted-when-undefined",
  "scope-step-up",
  "scope-retry-limit",
  "token-endpoint-auth-basic",
  "token-endpoint-auth-post",
  "token-endpoint-auth-none",
  "pre-registration",
];
const SCENARIOS = {
  "2025-03-26": ["2025-03-26-oauth-metadata-backcompat", "2025-03-26-oauth-endpoint-fallback"],
  "2025-11-25": BOTH,
  "2026-07-28": [
    ...BOTH,
    "resource-mismatch",
    "offline-access-scope",
    "offline-access-not-supported",
    "authorization-server-migration",
    "iss-supported",
    "iss-not-advertised",
    "iss-supported-missing",
    "iss-wrong-issuer",
    "iss-unexpected",
    "iss-normalized",
    "metadata-issuer-mismatch",
  ],
};

/** The client of the suite's scenario `basic-cimd`. */
const METADATA_URL = "https://conformance-test.local/client-metadata.json";

const file = wholeFile();
let suite: string;
let client: string;

before(async () => {
  // The suite's identity provider is another program of this machine than its MCP server.
  const daemon = await serve(file, {
    config: { outbound_allow: ["localhost", "127.0.0.1"], oauth_client_metadata_url: METADATA_URL },
  });
  client = `${process.execPath} test/programs/conformance-sign-in.mjs ${daemon.url} ${KEY}`;
  suite = await suiteProgram(file, "conformance-2026");
});

/** Scenarios of the extensions of MCP's authorization, which belong to no revision. */
const EXTENSIONS = ["client-credentials-basic", "client-credentials-jwt"];

for (const scenario of EXTENSIONS)
  test(`the proxy signs in as the official scenario ${scenario} asks`, async () => {
    assertPassed(await clientChecks(file, suite, ["--command", client, "--scenario", `auth/${scenario}`]));
  });

for (const [version, scenarios] of Object.entries(SCENARIOS))
  for (const scenario of scenarios)
    test(`the proxy signs in as the official scenario ${scenario} of ${version} asks`, async () => {
      const wanted = ["--scenario", `auth/${scenario}`, "--spec-version", version];
      assertPassed(await clientChecks(file, suite, ["--command", client, ...wanted]));
    });
