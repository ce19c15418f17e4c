import assert from "node:assert/strict";
import { test } from "node:test";
import { maskConfig } from "#lib/core/secrets/mask/config.ts";
import { restoreMaskedConfig } from "#lib/core/secrets/mask/restore-masked-config.ts";
import { verifies } from "#test/kit/verifies.ts";

const SECRET = "zyxwvutsrqponmlkjihgfedcbazyxwvutsrqponm";
const MASK = "••••nm (40 chars)";
const STORED = {
  api_key: SECRET,
  listen: "127.0.0.1:8080",
  profiles: [{ name: SECRET, servers: ["git"] }],
  environment: { custom_vars: { A: SECRET }, inherit_system_safe: true },
  server_edition: {
    session_cookie_secure: "auto",
    credential_encryption_key: SECRET,
    oauth: { issuer_url: "https://id.example", client_id: "c", client_secret: SECRET, scopes: ["openid"] },
  },
  mcpServers: [
    { name: "git", command: "x", env: { T: SECRET, R: "${env:X}" }, args: ["--token", SECRET] },
    { name: "web", url: `https://web.example/?access_token=${SECRET}&q=1` },
  ],
};

verifies(
  ["rest.redact.one-rule-set", "rest.redact.references"],
  "a document is masked by the rules for servers",
  () => {
    const shown = maskConfig(STORED);

    assert.deepEqual(Object.keys(shown), Object.keys(STORED));
    assert.equal(shown.api_key, MASK);
    assert.deepEqual(shown.environment, { custom_vars: { A: MASK }, inherit_system_safe: true });
    assert.equal(shown.server_edition.oauth.client_id, "c");
    assert.equal(shown.server_edition.session_cookie_secure, "auto", "a switch is no secret");
    assert.equal(shown.server_edition.credential_encryption_key, "••••", "neither its end nor its length");
    assert.deepEqual(shown.mcpServers[0]?.env, { T: MASK, R: "${env:X}" });
    assert.deepEqual(shown.mcpServers[0]?.args, ["--token", MASK]);
    // A name is what people find it by, whatever it looks like.
    const { profiles: _, ...rest } = shown;
    assert.ok(!JSON.stringify(rest).includes(SECRET));
  },
);

test("what is shown comes back as what is stored, but for places a value could move from", () => {
  const { mcpServers, ...settings } = maskConfig(STORED);
  const { args: _, ...git } = mcpServers[0]!;
  const { args: __, ...stored } = STORED.mcpServers[0]!;

  const back = restoreMaskedConfig(STORED, { ...settings, mcpServers: [git, mcpServers[1]] });

  assert.deepEqual(back, { ...STORED, mcpServers: [stored, STORED.mcpServers[1]] });
});

verifies(["rest.redact.echo-refused"], "a mask anywhere else is refused by its place", () => {
  const rows: [said: Record<string, unknown>, field: string][] = [
    [{ listen: MASK }, "listen"],
    [{ api_key: "••••xx (40 chars)" }, "api_key"],
    [{ environment: { custom_vars: { B: MASK } } }, "environment.custom_vars.B"],
    [{ environment: { allowed_system_vars: [MASK] } }, "environment.allowed_system_vars[0]"],
    [{ server_edition: { public_url: MASK } }, "server_edition.public_url"],
    [
      { server_edition: { oauth: { issuer_url: "https://other.example", client_secret: MASK } } },
      "server_edition.oauth.client_secret",
    ],
    [{ mcpServers: [{ name: "git", args: ["--token", MASK] }] }, "mcpServers[0].args[1]"],
    [{ mcpServers: [{ name: "new", env: { T: MASK } }] }, "mcpServers[0].env.T"],
    [
      { mcpServers: [{ name: "web", url: "https://evil.example/?access_token=••••(40 chars)&q=1" }] },
      "mcpServers[0].url",
    ],
    [{ mcpServers: { git: MASK } }, "mcpServers.git"],
    [{ [MASK]: 1 }, "a key of the value"],
  ];
  for (const [said, field] of rows)
    assert.throws(() => restoreMaskedConfig(STORED, said), { code: "echoed_mask", facts: { field } }, field);
});

test("a reference in place of the encryption key stays readable, and so does no key", () => {
  const shown = (key: string | undefined) =>
    maskConfig({ server_edition: { ...(key !== undefined && { credential_encryption_key: key }) } }).server_edition;

  assert.deepEqual(shown("${env:KEY}"), { credential_encryption_key: "${env:KEY}" });
  assert.deepEqual(shown(undefined), {});
});
