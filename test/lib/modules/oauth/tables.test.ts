import assert from "node:assert/strict";
import { test } from "node:test";
import { allowFor, unfit } from "#lib/modules/oauth/allow.ts";
import { whyNone } from "#lib/modules/oauth/browser.ts";
import { bearerChallenge } from "#lib/modules/oauth/challenge.ts";
import { quote } from "#lib/modules/oauth/quote.ts";
import {
  metadataApplies,
  resourceMetadataUrls,
  resourceOf,
  sameIssuer,
  serverMetadataUrls,
} from "#lib/modules/oauth/well-known.ts";

test("a server's metadata is looked for by its path, then at its root, never with its query", () => {
  const at = "https://up.example/.well-known/oauth-protected-resource";
  for (const [server, urls] of [
    ["https://up.example", [at]],
    ["https://up.example/", [at]],
    ["https://up.example/mcp", [`${at}/mcp`, at]],
    ["https://up.example/a/b/?key=secret#x", [`${at}/a/b`, at]],
    [
      "https://up.example:8443/mcp",
      [`${at.replace("example", "example:8443")}/mcp`, at.replace("example", "example:8443")],
    ],
  ] as const)
    assert.deepEqual(resourceMetadataUrls(new URL(server)), urls, server);
});

test("a sign-in server's metadata is looked for in the order of the MCP specification", () => {
  const at = "https://id.example";
  for (const [issuer, urls] of [
    [at, [`${at}/.well-known/oauth-authorization-server`, `${at}/.well-known/openid-configuration`]],
    [
      `${at}/tenant`,
      [
        `${at}/.well-known/oauth-authorization-server/tenant`,
        `${at}/.well-known/openid-configuration/tenant`,
        `${at}/tenant/.well-known/openid-configuration`,
      ],
    ],
    [
      `${at}/a/b/`,
      [
        `${at}/.well-known/oauth-authorization-server/a/b`,
        `${at}/.well-known/openid-configuration/a/b`,
        `${at}/a/b/.well-known/openid-configuration`,
      ],
    ],
  ] as const)
    assert.deepEqual(serverMetadataUrls(new URL(issuer)), urls, issuer);
});

test("a resource is named without query, fragment and credentials", () => {
  assert.equal(resourceOf(new URL("https://me:pw@up.example/mcp?key=s#x")), "https://up.example/mcp");
  assert.equal(resourceOf(new URL("https://UP.example:443/")), "https://up.example");
});

test("metadata counts for its own resource and what lies below it", () => {
  const server = new URL("https://up.example/mcp/v1");
  for (const [resource, fits] of [
    ["https://up.example/mcp/v1", true],
    ["https://up.example/mcp/v1/", true],
    ["https://up.example/mcp", true],
    ["https://up.example/", true],
    ["https://up.example", true],
    ["https://up.example/mc", false],
    ["https://up.example/mcp/v1/deeper", false],
    ["https://up.example:444/mcp", false],
    ["http://up.example/mcp", false],
    ["https://up.example.evil.example/mcp", false],
    ["up", false],
  ] as const)
    assert.equal(metadataApplies(resource, server), fits, resource);
});

test("an issuer may be written with or without its last slash, and no other way", () => {
  assert.ok(sameIssuer("https://id.example/", "https://id.example"));
  assert.ok(!sameIssuer("https://id.example/a", "https://id.example"));
  assert.ok(!sameIssuer("http://id.example", "https://id.example"));
});

test("the Bearer challenge is found among others, quoted or not", () => {
  for (const [header, found] of [
    [undefined, undefined],
    ["", undefined],
    ["Basic realm=x", undefined],
    ["Bearer", {}],
    ['Bearer error="invalid_token", scope="a b"', { error: "invalid_token", scope: "a b" }],
    ["bearer error=insufficient_scope,scope=write", { error: "insufficient_scope", scope: "write" }],
    [
      'Basic realm="Bearer error=x", Bearer resource_metadata="https://a/b?c", DPoP error="y"',
      { resourceMetadata: "https://a/b?c" },
    ],
    ['Bearer error_description="say \\"no\\", please", scope="x"', { scope: "x" }],
    ["Negotiate abc==, Bearer scope=z", { scope: "z" }],
    [`Bearer scope="${"x".repeat(10_000)}"`, {}],
    [`Bearer ${'"'.repeat(4000)}`, {}],
  ] as const)
    assert.deepEqual(bearerChallenge(header), found, header?.slice(0, 60));
});

test("endpoints are https; in the clear only on hosts the configuration names, on loopback only at the server's own port", () => {
  const other = (at: string) => `is another program on this machine; to allow it, add ${at} to outbound_allow`;
  const second = allowFor(new URL("http://127.0.0.2:9000/mcp"), []);
  const listed = allowFor(new URL("http://localhost:3000/mcp"), [], ["localhost:8180", "10.1.2.3:8180", "10.0.0.0/8"]);
  const named = allowFor(new URL("https://up.example/mcp"), ["http://localhost:4100/realm"]);
  const local = allowFor(new URL("http://127.0.0.1:3000/mcp"), []);
  const house = allowFor(new URL("http://tools.house:8080/mcp"), ["https://id.house/realm", undefined]);
  assert.deepEqual(house, ["tools.house", "id.house"]);
  for (const [endpoint, allow, reason] of [
    ["https://id.example/token", [], undefined],
    ["http://id.example/token", [], "is not https"],
    ["http://localhost:3000/token", local, undefined],
    ["http://[::1]:3000/token", local, undefined],
    ["http://127.0.0.1:3000/token", local, undefined],
    ["http://127.0.0.2:3000/token", local, other("127.0.0.2:3000")],
    ["http://localhost:21354/x", local, other("localhost:21354")],
    ["http://[::1]:21354/x", local, other("[::1]:21354")],
    ["http://127.0.0.1/x", local, other("127.0.0.1")],
    ["http://127.0.0.2:9000/x", second, undefined],
    ["http://127.0.0.1:9000/x", second, other("127.0.0.1:9000")],
    ["http://localhost:8180/realm", listed, undefined],
    ["http://localhost:8181/realm", listed, other("localhost:8181")],
    ["http://10.1.2.3:8180/token", listed, "is not https"],
    ["http://127.0.0.1:4100/token", named, undefined],
    ["http://10.0.0.1/token", local, "is not https"],
    ["http://tools.house/token", house, undefined],
    ["http://tools.house.evil.example/token", house, "is not https"],
    ["https://me:pw@id.example/", [], "contains a user name or password"],
    ["https://id.example/#x", [], "has a fragment"],
    ["javascript:alert(1)", local, "has the scheme javascript:"],
    ["file:///etc/passwd", local, "has the scheme file:"],
    ["nowhere", local, "is not a valid URL"],
  ] as const)
    assert.equal(unfit(endpoint, allow), reason, endpoint);
});

test("a browser is opened only where its screen is the person's", () => {
  for (const [env, platform, none] of [
    [{}, "darwin", false],
    [{}, "win32", false],
    [{}, "linux", true],
    [{ DISPLAY: ":0" }, "linux", false],
    [{ WAYLAND_DISPLAY: "w" }, "linux", false],
    [{ DISPLAY: ":0", SSH_CONNECTION: "x" }, "linux", true],
    [{ SSH_TTY: "x" }, "darwin", true],
    [{ CI: "1" }, "darwin", true],
    [{ CI: "False" }, "darwin", false],
    [{ NO_BROWSER: "1" }, "win32", true],
    [{ HEADLESS: "1" }, "darwin", true],
  ] as const)
    assert.equal(whyNone(env, platform) !== undefined, none, JSON.stringify([env, platform]));
});

test("what a sign-in server says is quoted short, on one line and without what is secret", () => {
  assert.equal(quote("cannot use code-1234\r\nof you", ["code-1234", undefined, ""]), "cannot use •••• of you");
  assert.ok(quote("x".repeat(5000), []).length <= 201);
});
