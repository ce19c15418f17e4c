import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConnectionStatus } from "#lib/core/schema/connection-status.ts";
import { withApp } from "#test/kit/app.ts";
import { call } from "#test/kit/http.ts";

const EMPTY: ConnectionStatus = { state: "Ready", since: 0, attempts: 0, reconnects: 0, listing: { listed: true } };

test("a connected server that lists nothing leads to a sign-in if its entry says that people sign in", () => {
  const url = "https://mcp.example/mcp";
  const by = (grant: "client_credentials") => ({ grant, client_id: "proxy", client_secret: "x" });
  const servers = [
    { name: "by-person", url, oauth: { client_id: "proxy" } },
    { name: "by-each-user", url, auth_broker: { mode: "oauth_connect" as const } },
    { name: "by-itself", url, oauth: by("client_credentials") },
    { name: "by-header", url, headers: { authorization: "Bearer x" } },
    { name: "unknown", url },
    { name: "local", command: "x" },
  ];
  return withApp({ connect: false, servers }, async (app) => {
    Object.assign(app.upstreams, { get: () => ({ status: () => EMPTY }) });

    const { servers: records } = await call(app, "GET /api/v1/servers", {});

    assert.deepEqual(
      records.map(({ name, health }) => [name, health.summary, health.action, health.detail]),
      [
        ["by-person", "Sign-in required", "login", "it lists nothing until somebody signs in"],
        ["by-each-user", "Sign-in required", "login", "it lists nothing until somebody signs in"],
        ["by-itself", "Connected", "", "it lists nothing"],
        ["by-header", "Connected", "", "it lists nothing"],
        ["unknown", "Connected", "", "it lists nothing; some servers list their tools only after a sign-in"],
        ["local", "Connected", "", "it lists nothing"],
      ],
    );
  });
});
