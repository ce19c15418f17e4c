import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "#lib/core/base/fault.ts";
import { rejectMasked, restoreMasked } from "#lib/core/secrets/mask/restore-masked.ts";
import { maskServer } from "#lib/core/secrets/mask/server.ts";
import { verifies } from "#test/kit/verifies.ts";

const STORED = {
  name: "git",
  url: "https://u:pw12@h:8443/mcp?token=abcdef&key=first&key=second&v=2",
  args: ["--api-key", "abcdef"],
  env: { TOKEN: "abcdef", OTHER: "ghijkl", REF: "${env:X}" },
  headers: { Authorization: "Bearer abcdef", Accept: "text/html" },
  oauth: {
    client_id: "sk-proj-abcdefghijklmnopqrstu",
    client_secret: "topsecret",
    redirect_uri: "https://h/cb?code=abcdef",
    scopes: ["read:user"],
    extra_params: { audience: "https://api" },
  },
  isolation: { extra_args: ["-e", "TOKEN=abcdef"] },
};
const SHOWN = maskServer(STORED);
const OPEN = { ...STORED, url: "https://h:8443/mcp?token=abcdef&key=first&key=second&v=2" };
const SHOWN_URL = maskServer(OPEN).url;

const refused = (patch: Record<string, unknown>, field: string, stored: Record<string, unknown> = STORED) =>
  assert.throws(
    () => restoreMasked(stored, patch),
    (e: unknown) => e instanceof Fault && e.code === "echoed_mask" && e.status === 400 && e.facts.field === field,
    JSON.stringify(patch),
  );

verifies("rest.redact.echo-map", "a mask under its own key of env, headers or extra_params turns back", () => {
  const patch = {
    env: { TOKEN: SHOWN.env.TOKEN, OTHER: "new value", REF: SHOWN.env.REF },
    headers: { ...SHOWN.headers, "X-New": "1" },
    oauth: { extra_params: SHOWN.oauth.extra_params },
  };

  assert.deepEqual(restoreMasked(STORED, patch), {
    env: { TOKEN: "abcdef", OTHER: "new value", REF: "${env:X}" },
    headers: { ...STORED.headers, "X-New": "1" },
    oauth: { extra_params: STORED.oauth.extra_params },
  });
});

verifies("rest.redact.echo-oauth", "a mask in one of three oauth fields turns back by its field", () => {
  const { client_id, client_secret, redirect_uri } = SHOWN.oauth;
  assert.notEqual(client_id, STORED.oauth.client_id);

  assert.deepEqual(restoreMasked(STORED, { oauth: { client_id, client_secret, redirect_uri } }), {
    oauth: {
      client_id: STORED.oauth.client_id,
      client_secret: STORED.oauth.client_secret,
      redirect_uri: STORED.oauth.redirect_uri,
    },
  });
});

verifies(
  "rest.redact.echo-url",
  "a mask in a query turns back for its parameter while scheme, host and port stay",
  () => {
    const same: [string, string][] = [
      [SHOWN_URL, OPEN.url],
      [SHOWN_URL.replace("/mcp", "/other/path"), OPEN.url.replace("/mcp", "/other/path")],
      [SHOWN_URL.replace("v=2", "v=3&w=4"), OPEN.url.replace("v=2", "v=3&w=4")],
      [SHOWN_URL.replace("https://h:", "HTTPS://H:"), OPEN.url.replace("https://h:", "HTTPS://H:")],
      ["https://h:8443/mcp?token=••••ef (6 chars)", "https://h:8443/mcp?token=abcdef"],
      [`https://h:8443/?token=${encodeURIComponent("••••ef (6 chars)")}`, "https://h:8443/?token=abcdef"],
      ["https://h:8443/?token=%E2%80%A2%E2%80%A2%E2%80%A2%E2%80%A2ef+%286+chars%29", "https://h:8443/?token=abcdef"],
      ["https://h:8443/?key=••••st (5 chars)&key=other", "https://h:8443/?key=first&key=other"],
    ];
    for (const [said, real] of same) assert.deepEqual(restoreMasked(OPEN, { url: said }), { url: real }, said);
  },
);

verifies("rest.redact.echo-refused", "a URL that leads elsewhere gets no secret along", () => {
  const token = "token=••••ef (6 chars)";
  for (const url of [
    SHOWN_URL.replace("h:8443", "evil:8443"),
    SHOWN_URL.replace("h:8443", "h:8444"),
    SHOWN_URL.replace("h:8443", "h"),
    SHOWN_URL.replace("https:", "http:"),
    `https://evil.com\\@h:8443/?${token}`,
    `https://h:8443\\@evil.com/?${token}`,
    `https://evil.com/@h:8443/?${token}`,
    `https://h:8443@evil.com/?${token}`,
    `https://evil.com#@h:8443/?${token}`,
    `https://ev\til.com/?${token}`,
    `https://\${env:HOST}@h:8443/?${token}`,
    `//h:8443/?${token}`,
    `https://h:8443/?other=••••ef (6 chars)`,
    `https://h:8443/?token=••••xx (6 chars)`,
    `https://h:8443/?token=••••ef (7 chars)`,
    `https://h:8443/?${token}&${token}`,
    `https://h:8443/?key=••••st (5 chars)`,
    `https://h:8443/?key=••••nd (6 chars)&key=••••st (5 chars)`,
    `https://h:8443/••••ef (6 chars)`,
    `https://h:8443/?v=2#${token}`,
    "••••ef (6 chars)",
    "https://u:••••(4 chars)@h:8443/mcp",
    "https://u:••••(4 chars)@h:8443/mcp?token=••••ef (6 chars)",
  ])
    refused({ url }, "url", OPEN);
  refused({ url: SHOWN.url }, "url");
});

test("a reference before the path binds only to the very same text (spec 000 §2.9 rule 6)", () => {
  const stored = { url: "https://${env:HOST}/mcp?token=abcdef" };
  const { url } = maskServer(stored);

  assert.deepEqual(restoreMasked(stored, { url: url.replace("/mcp", "/x") }), {
    url: stored.url.replace("/mcp", "/x"),
  });
  refused({ url: url.replace("HOST", "OTHER") }, "url", stored);
});

verifies("rest.redact.echo-refused", "every other mask is refused, by the name of its field", () => {
  const rows: [Record<string, unknown>, string][] = [
    [{ args: SHOWN.args }, "args[1]"],
    [{ oauth: { scopes: SHOWN.oauth.scopes } }, "oauth.scopes[0]"],
    [{ isolation: SHOWN.isolation }, "isolation.extra_args[1]"],
    [{ env: { OTHER: SHOWN.env.TOKEN } }, "env.OTHER"],
    [{ env: { NEW: SHOWN.env.TOKEN } }, "env.NEW"],
    [{ env: { TOKEN: "••••ef (7 chars)" } }, "env.TOKEN"],
    [{ env: { TOKEN: `x${SHOWN.env.TOKEN}` } }, "env.TOKEN"],
    [{ env: { TOKEN: "••••" } }, "env.TOKEN"],
    [{ env: { constructor: "••••ef (6 chars)" } }, "env.constructor"],
    [{ env: { "••••ef (6 chars)": "x" } }, "a key of env"],
    [{ headers: { authorization: SHOWN.headers.Authorization } }, "headers.authorization"],
    [{ headers: { Authorization: "Bearer ••••ef (6 chars)" } }, "headers.Authorization"],
    [{ oauth: { client_secret: SHOWN.oauth.client_id } }, "oauth.client_secret"],
    [{ oauth: { token: SHOWN.oauth.client_secret } }, "oauth.token"],
    [{ command: "••••ef (6 chars)" }, "command"],
    [{ working_dir: "/x/••••(6 chars)" }, "working_dir"],
    [{ later: { deep: [{ field: "••••ef (6 chars)" }] } }, "later.deep[0].field"],
  ];
  for (const [patch, field] of rows) refused(patch, field);
});

test("a patch without masks comes back as it is, whatever its types", () => {
  for (const patch of [
    {},
    { env: null, headers: { A: null }, url: null, oauth: null },
    { env: "text", headers: ["x"], url: 7, oauth: [] },
    { env: { TOKEN: "new", EMPTY: "" }, url: "https://new/?token=x", enabled: false },
  ])
    assert.deepEqual(restoreMasked(STORED, patch), patch);
});

verifies("rest.redact.echo-post", "a new server may hold no mask anywhere", () => {
  assert.throws(() => rejectMasked(SHOWN), /holds a masked value/);
  assert.throws(() => rejectMasked({ env: { A: "••••ef (6 chars)" } }), /env\.A holds a masked value/);
  assert.doesNotThrow(() => rejectMasked(STORED));
});

test("masks are found at any depth", () => {
  let deep: unknown = "••••ef (6 chars)";
  for (let i = 0; i < 50_000; i++) deep = [deep];

  assert.throws(() => rejectMasked({ deep }), Fault);
});
