import assert from "node:assert/strict";
import { test } from "node:test";
import { isLocal, isTrustedOrigin, type LocalFacts } from "#lib/core/api/authenticate/local.ts";

const HERE: LocalFacts = {
  listenAddr: "127.0.0.1:8080",
  remote: "127.0.0.1",
  host: "127.0.0.1:8080",
  origin: undefined,
  trustedHosts: [],
  trustedProxies: [],
};

test("a request is local only from a loopback address, on a loopback listener, under a loopback name, and from no foreign page", () => {
  const rows: [change: Partial<LocalFacts>, local: boolean][] = [
    [{}, true],
    [{ listenAddr: "" }, true],
    [{ listenAddr: "[::1]:8080", remote: "::1", host: "[::1]:8080" }, true],
    [{ remote: "::ffff:127.0.0.1" }, true],
    [{ host: "localhost:8080" }, true],
    [{ origin: "http://127.0.0.1:8080" }, true],
    [{ origin: "http://localhost:6274", trustedHosts: ["localhost:6274"] }, true],
    [{ listenAddr: "0.0.0.0:8080" }, false],
    [{ listenAddr: "[::]:8080" }, false],
    [{ listenAddr: "192.168.0.2:8080" }, false],
    [{ remote: "192.168.0.7" }, false],
    [{ remote: undefined }, false],
    [{ trustedProxies: ["127.0.0.0/8"] }, false],
    [{ remote: "::ffff:127.0.0.1", trustedProxies: ["127.0.0.1"] }, false],
    [{ host: "proxy.example.com", trustedHosts: ["proxy.example.com"] }, false],
    [{ host: "evil.example", trustedHosts: ["*"] }, false],
    [{ host: undefined }, false],
    [{ origin: "http://localhost:5555" }, false],
    [{ origin: "http://localhost:5555", trustedHosts: ["*"] }, false],
    [{ origin: "chrome-extension://localhost" }, false],
    [{ origin: "null" }, false],
  ];
  for (const [change, local] of rows) assert.equal(isLocal({ ...HERE, ...change }), local, JSON.stringify(change));
});

test("an origin is named by its host in trusted_hosts alone, over http or https", () => {
  const rows: [origin: string, trusted: string[], named: boolean][] = [
    ["http://localhost:6274", ["localhost:6274"], true],
    ["http://localhost:6274", ["localhost"], true],
    ["https://panel.example.com", [".example.com"], true],
    ["http://localhost:6275", ["localhost:6274"], false],
    ["http://localhost:6274", [], false],
    ["https://evil.example", ["*"], false],
    ["file://localhost", ["localhost"], false],
    ["chrome-extension://localhost", ["localhost"], false],
    ["http://localhost:6274@evil.example", ["localhost"], false],
  ];
  for (const [origin, trusted, named] of rows)
    assert.equal(isTrustedOrigin(origin, trusted), named, JSON.stringify([origin, trusted]));
});
