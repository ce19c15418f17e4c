import assert from "node:assert/strict";
import { test } from "node:test";
import { withShortNpmRetries } from "#lib/core/config/child-environment.ts";

const BOTH = { npm_config_fetch_retry_mintimeout: "1000", npm_config_fetch_retry_maxtimeout: "5000" };

test("npm repeats failed downloads of a server quickly, so that their reason appears before the start times out", () => {
  const rows: [command: string, env: Record<string, string>, added: Record<string, string>][] = [
    ["npx", {}, BOTH],
    ["/usr/local/bin/npm", {}, BOTH],
    ["C:\\Program Files\\nodejs\\npx.cmd", {}, BOTH],
    ["pnpx", {}, BOTH],
    ["node", {}, {}],
    ["uvx", {}, {}],
    ["my-npx-server", {}, {}],
    [
      "npx",
      { NPM_CONFIG_FETCH_RETRY_MINTIMEOUT: "9" },
      { npm_config_fetch_retry_maxtimeout: BOTH.npm_config_fetch_retry_maxtimeout },
    ],
  ];

  for (const [command, env, added] of rows)
    assert.deepEqual(withShortNpmRetries(command, env), { ...env, ...added }, command);
});
