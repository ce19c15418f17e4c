import assert from "node:assert/strict";
import { peerOf } from "#lib/core/api/authenticate/peer.ts";
import { verifies } from "#test/kit/verifies.ts";

const peer = (remote: string | undefined, headers: Record<string, string>, trusted: string[]) =>
  peerOf({ remote, header: (name) => headers[name], trusted });

verifies(
  ["peer.entries", "peer.default", "peer.untrusted"],
  "forwarded headers are believed from trusted proxies alone",
  () => {
    const all = {
      "x-forwarded-for": "9.9.9.9",
      "x-real-ip": "8.8.8.8",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "proxy.example.com",
    };

    assert.deepEqual(peer("10.0.0.1", all, []), { clientIp: "10.0.0.1" });
    assert.deepEqual(peer("10.0.0.1", all, ["10.0.0.2"]), { clientIp: "10.0.0.1" });
    assert.deepEqual(peer("10.0.0.1", all, ["10.0.0.0/8"]), {
      clientIp: "9.9.9.9",
      proto: "https",
      host: "proxy.example.com",
    });
    assert.deepEqual(peer(undefined, all, ["10.0.0.0/8"]), {});
  },
);

verifies("peer.client-ip", "the client is the right-most hop that is no trusted proxy, then X-Real-IP", () => {
  const trusted = ["10.0.0.0/8", "fd00::/8"];
  const rows: [string, string | undefined, string | undefined, string][] = [
    ["10.0.0.1", "1.1.1.1, 2.2.2.2, 10.0.0.9", undefined, "2.2.2.2"],
    ["::ffff:10.0.0.1", "2.2.2.2", undefined, "2.2.2.2"],
    ["fd00::1", "2001:db8::7, fd00::2", undefined, "2001:db8::7"],
    ["10.0.0.1", "[2001:db8::7]:443", undefined, "2001:db8::7"],
    ["10.0.0.1", "2.2.2.2:1234", undefined, "2.2.2.2"],
    ["10.0.0.1", "10.0.0.3, 10.0.0.4", "3.3.3.3", "3.3.3.3"],
    ["10.0.0.1", "10.0.0.3", undefined, "10.0.0.1"],
    ["10.0.0.1", undefined, "3.3.3.3", "3.3.3.3"],
    ["10.0.0.1", undefined, "not-an-address", "10.0.0.1"],
    ["10.0.0.1", "1.1.1.1, rubbish, 10.0.0.9", "3.3.3.3", "3.3.3.3"],
    ["10.0.0.1", "", undefined, "10.0.0.1"],
  ];
  for (const [remote, hops, real, wanted] of rows) {
    const headers = { ...(hops !== undefined && { "x-forwarded-for": hops }), ...(real && { "x-real-ip": real }) };
    assert.equal(peer(remote, headers, trusted).clientIp, wanted, `${hops} ${real}`);
  }
});

verifies("peer.proto-host", "a forwarded scheme is http or https, and a forwarded host is a host", () => {
  const trusted = ["10.0.0.1"];
  assert.deepEqual(peer("10.0.0.1", { "x-forwarded-proto": "javascript", "x-forwarded-host": "a/b" }, trusted), {
    clientIp: "10.0.0.1",
  });
  assert.deepEqual(peer("10.0.0.1", { "x-forwarded-proto": "HTTPS, http" }, trusted), {
    clientIp: "10.0.0.1",
    proto: "https",
  });
});

verifies("peer.untrusted", "by our own TLS the scheme is https, unless a trusted proxy says otherwise", () => {
  const secure = (headers: Record<string, string>, trusted: string[]) =>
    peerOf({ remote: "10.0.0.1", header: (name) => headers[name], trusted, byTls: true }).proto;

  assert.equal(secure({}, []), "https");
  assert.equal(secure({ "x-forwarded-proto": "http" }, []), "https");
  assert.equal(secure({}, ["10.0.0.0/8"]), "https");
  assert.equal(secure({ "x-forwarded-proto": "http" }, ["10.0.0.0/8"]), "http");
  assert.equal(secure({ "x-forwarded-proto": "gopher" }, ["10.0.0.0/8"]), "https");
  assert.equal(peerOf({ remote: undefined, header: () => undefined, trusted: [], byTls: true }).proto, undefined);
});
