import assert from "node:assert/strict";
import { test } from "node:test";
import { isHostListed, isLoopback, joinHost, parseHost, unmappedAddress } from "#lib/core/base/host-port.ts";
import { verifies } from "#test/kit/verifies.ts";

test("a host is a name or an address with an optional port, and nothing else", () => {
  const rows: [string, ReturnType<typeof parseHost>][] = [
    ["localhost", { host: "localhost" }],
    ["LocalHost:8080", { host: "localhost", port: 8080 }],
    ["127.0.0.1:0", { host: "127.0.0.1", port: 0 }],
    ["[::1]:8080", { host: "::1", port: 8080 }],
    ["[::1]", { host: "::1" }],
    ["[::1", undefined],
    ["[zz]:80", undefined],
    ["[1.2.3.4]:80", undefined],
    ["::1", undefined],
    ["a:65536", undefined],
    ["a:", undefined],
    ["a:b", undefined],
    ["user@localhost", undefined],
    ["localhost/x", undefined],
    ["local host", undefined],
    ["", undefined],
  ];
  for (const [text, wanted] of rows) assert.deepEqual(parseHost(text), wanted, text);
});

test("loopback is localhost and the loopback addresses, not names that look alike", () => {
  for (const host of ["localhost", "127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
    assert.ok(isLoopback(host), host);
  for (const host of ["localhost.evil.example", "127.0.0.1.evil.example", "128.0.0.1", "0.0.0.0", "::", "127.1", ""])
    assert.ok(!isLoopback(host), host);
});

verifies(["host.port", "host.dot", "host.case"], "entries match by name, exact port and leading dot", () => {
  const rows: [string, number, string, boolean][] = [
    ["proxy.example.com", 8080, "proxy.example.com", true],
    ["proxy.example.com", 8080, "PROXY.example.com", true],
    ["proxy.example.com", 8080, "proxy.example.com:8080", true],
    ["proxy.example.com", 8081, "proxy.example.com:8080", false],
    ["a.example.com", 80, ".example.com", true],
    ["a.b.example.com", 80, ".example.com", true],
    ["example.com", 80, ".example.com", true],
    ["evilexample.com", 80, ".example.com", false],
    ["a.example.com", 80, "example.com", false],
    ["a.example.com", 81, ".example.com:80", false],
    ["fd00::1", 80, "fd00::1", true],
    ["fd00::1", 80, "[fd00::1]:80", true],
    ["anything", 80, "*", false],
    ["anything", 80, "", false],
  ];
  for (const [host, port, entry, wanted] of rows)
    assert.equal(isHostListed(host, port, [entry]), wanted, `${host} ${entry}`);
});

test("an IPv4 peer of a dual-stack socket is itself again", () => {
  assert.equal(unmappedAddress("::ffff:10.0.0.1"), "10.0.0.1");
  assert.equal(unmappedAddress("FD00::1"), "fd00::1");
  assert.equal(joinHost("fd00::1", 80), "[fd00::1]:80");
});
