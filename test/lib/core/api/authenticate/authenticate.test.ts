import assert from "node:assert/strict";
import { test } from "node:test";
import { authenticateRequest } from "#lib/core/api/authenticate/authenticate.ts";
import { Fault } from "#lib/core/base/fault.ts";
import type { ListenerKind } from "#lib/core/schema/caller.ts";
import { coreParts } from "#test/kit/parts.ts";
import { verifies } from "#test/kit/verifies.ts";

interface Given {
  headers?: Record<string, string>;
  config?: { trusted_hosts?: string[]; trusted_proxies?: string[] };
  listenAddr?: string;
  listener?: ListenerKind;
  target?: string;
  method?: string;
  /** Why nothing may be decided with what the store has in memory. */
  outdated?: Fault;
  /** Whether other replicas exist, and whether the store has caught up with them. */
  replicas?: boolean;
  hasCaughtUp?: boolean;
}

const at = (given: Given) => {
  const { headers = {}, config = {}, listenAddr = "127.0.0.1:8080", listener = "tcp" } = given;
  const { target = "/mcp", method = "GET", outdated } = given;
  const app: object = {
    store: {
      outdated: () => outdated,
      ...(given.replicas && { catchUp: async () => {} }),
      tokens: { byHash: () => undefined },
      signIns: { get: () => undefined },
    },
    clock: { now: () => 0 },
    part: coreParts(() => app),
    boot: { listenAddr, apiKey: "key" },
    config: { current: () => ({ trusted_hosts: [], trusted_proxies: [], tls: { enabled: false }, ...config }) },
  };
  const header = (name: string) => ({ host: "localhost", ...headers })[name];
  const remote = listener === "tcp" ? "127.0.0.1" : undefined;
  return authenticateRequest(app as unknown as Parameters<typeof authenticateRequest>[0], {
    method,
    target,
    header,
    remote,
    listener,
    ...(given.hasCaughtUp && { hasCaughtUp: true }),
  });
};

verifies(
  ["peer.default", "peer.untrusted", "peer.client-ip", "peer.proto-host", "peer.hot"],
  "forwarded headers name the client only behind a proxy that is trusted at that moment",
  () => {
    const headers = {
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "proxy.example.com",
    };
    const { clientIp, proto, host } = at({ headers });
    assert.deepEqual([clientIp, proto, host], ["127.0.0.1", undefined, undefined]);
    const behind = at({ headers, config: { trusted_proxies: ["127.0.0.0/8"] } });
    assert.deepEqual([behind.clientIp, behind.proto, behind.host], ["203.0.113.9", "https", "proxy.example.com"]);
  },
);

verifies(["peer.never-admin"], "nothing forwarded makes anybody local or an administrator", () => {
  const headers = { "x-forwarded-for": "127.0.0.1", "x-real-ip": "127.0.0.1", "x-forwarded-host": "localhost" };
  const { caller } = at({ headers, config: { trusted_proxies: ["127.0.0.1"] } });
  assert.equal(caller !== "invalid" && caller.tier, "anonymous");

  const spoofed = at({
    headers: { host: "evil.example", "x-forwarded-host": "localhost" },
    config: { trusted_proxies: ["127.0.0.1"] },
  });
  assert.equal(spoofed.refusal?.message, "Forbidden: invalid Host header");
});

verifies(["host.not-applied", "host.default"], "hosts are checked on loopback listeners only, sockets never", () => {
  const headers = { host: "evil.example", origin: "http://evil.example" };
  for (const listenAddr of ["127.0.0.1:8080", "[::1]:8080", ""])
    assert.ok(at({ headers, listenAddr }).refusal, listenAddr);
  for (const listenAddr of ["0.0.0.0:8080", "[::]:8080", "192.168.1.2:80"])
    assert.equal(at({ headers, listenAddr }).refusal, undefined, listenAddr);
  assert.equal(at({ headers, listener: "socket" }).refusal, undefined);
});

test("path and query are kept as sent", () => {
  const { path, query, caller } = at({ target: "/api/v1/servers/a%2Fb?x=1&apikey=key" });
  assert.deepEqual([path, query], ["/api/v1/servers/a%2Fb", "x=1&apikey=key"]);
  assert.equal(caller !== "invalid" && caller.tier, "admin");
});

test("while the store is outdated, probes, pages and an administrator's reads remain", () => {
  const outdated = new Fault("cluster_outdated", { seconds: 90, limit: 60 });
  const admin = { "x-api-key": "key" };
  const rows: [method: string, target: string, headers: Record<string, string>, isRefused: boolean][] = [
    ["POST", "/mcp", admin, true],
    ["GET", "/mcp/all", {}, true],
    ["POST", "/api/v1/servers", admin, true],
    ["GET", "/api/v1/servers", admin, false],
    ["GET", "/readyz", {}, false],
    ["GET", "/ui/", {}, false],
  ];
  for (const [method, target, headers, isRefused] of rows) {
    assert.equal(at({ method, target, headers, outdated }).refusal, isRefused ? outdated : undefined, target);
    assert.equal(at({ method, target, headers }).refusal, undefined, target);
  }
});

test("a replica looks again before it rejects a credential that another one may have just issued", () => {
  const cookie = { cookie: "proxy_panel_8080=secret", "sec-fetch-site": "same-origin" };
  const token = { authorization: "Bearer mcp_agt_0123" };
  const rows: [given: Given, isUnknown: boolean][] = [
    [{ headers: token }, true],
    [{ headers: cookie, target: "/api/v1/servers" }, true],
    [{ headers: cookie, target: "/events?client=1" }, true],
    [{ headers: cookie, target: "/ui/assets/main.js" }, false],
    [{ headers: {}, target: "/api/v1/servers" }, false],
    [{ headers: { "x-api-key": "wrong" } }, false],
    [{ headers: { "x-api-key": "key", ...cookie }, target: "/api/v1/servers" }, false],
  ];
  for (const [given, isUnknown] of rows) {
    const text = JSON.stringify(given);
    assert.equal(at({ ...given, replicas: true }).isUnknown === true, isUnknown, text);
    assert.equal(at(given).isUnknown, undefined, text);
    assert.equal(at({ ...given, replicas: true, hasCaughtUp: true }).isUnknown, undefined, text);
  }
});
