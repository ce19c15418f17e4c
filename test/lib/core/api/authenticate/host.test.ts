import assert from "node:assert/strict";
import { checkHost } from "#lib/core/api/authenticate/host.ts";
import { verifies } from "#test/kit/verifies.ts";

const HOST = "Forbidden: invalid Host header";
const ORIGIN = "Forbidden: invalid Origin header";

verifies(
  ["host.loopback", "host.star", "host.case"],
  "a loopback listener answers only to loopback and trusted names",
  () => {
    const rows: [string | undefined, string | undefined, string[], string][] = [
      ["localhost:8080", undefined, [], "ok"],
      ["127.0.0.1", undefined, [], "ok"],
      ["[::1]:8080", undefined, [], "ok"],
      ["LOCALHOST", undefined, [], "ok"],
      ["127.0.0.1:59999", undefined, [], "ok"],
      ["127.0.0.1:65535", undefined, [], "ok"],
      ["127.0.0.1:65536", undefined, [], HOST],
      ["localhost:99999", undefined, [], HOST],
      ["localhost:", undefined, [], HOST],
      ["127.0.0.1.evil.example", undefined, [], HOST],
      ["evil.example:127.0.0.1", undefined, [], HOST],
      ["localhost\nevil.example", undefined, [], HOST],
      ["evil.example\nlocalhost", undefined, [], HOST],
      ["127a0b0c1", undefined, [], HOST],
      ["evil.example", undefined, [], HOST],
      ["localhost.evil.example", undefined, [], HOST],
      ["localhost@evil.example", undefined, [], HOST],
      ["", undefined, [], HOST],
      [undefined, undefined, [], HOST],
      ["proxy.example.com", undefined, ["proxy.example.com"], "ok"],
      ["proxy.example.com:9000", undefined, ["proxy.example.com:8080"], HOST],
      ["proxy.example.com", undefined, ["proxy.example.com:80"], "ok"],
      ["evil.example", "http://evil.example", ["*"], "ok"],
      ["localhost", "http://localhost:3000", [], "ok"],
      ["localhost", "https://127.0.0.1", [], "ok"],
      ["localhost", "tauri://localhost", [], "ok"],
      ["localhost", "http://evil.example", [], ORIGIN],
      ["localhost", "http://localhost.evil.example", [], ORIGIN],
      ["localhost", "http://localhost:80@evil.example", [], ORIGIN],
      ["localhost", "null", [], ORIGIN],
      ["localhost", "", [], ORIGIN],
      ["localhost", "https://panel.example.com", [".example.com"], "ok"],
      ["localhost", "https://panel.example.com", ["panel.example.com:443"], "ok"],
      ["localhost", "http://panel.example.com", ["panel.example.com:443"], ORIGIN],
      ["evil.example", "http://evil.example", [], HOST],
    ];
    for (const [host, origin, trusted, wanted] of rows)
      assert.equal(checkHost({ host, origin, trusted }), wanted, JSON.stringify([host, origin, trusted]));
  },
);
