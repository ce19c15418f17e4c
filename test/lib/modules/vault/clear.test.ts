import assert from "node:assert/strict";
import { test } from "node:test";
import { clearSecrets } from "#lib/modules/vault/clear.ts";

const TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

test("what is masked where it is shown is found where it stands, and can be replaced there alone", () => {
  const rows: [object, readonly [field: string, value: string][], object][] = [
    [
      { env: { API_TOKEN: "t1", MODE: "fast", NOTE: TOKEN } },
      [
        ["env.API_TOKEN", "t1"],
        ["env.NOTE", TOKEN],
      ],
      { env: { API_TOKEN: "R0", MODE: "fast", NOTE: "R1" } },
    ],
    [
      { headers: { Authorization: "Bearer abc123", Accept: "text/plain" } },
      [["headers.Authorization", "Bearer abc123"]],
      { headers: { Authorization: "R0", Accept: "text/plain" } },
    ],
    [
      { args: ["--api-key", "k1", "--token=k2", "--port", "80"] },
      [
        ["args.1", "k1"],
        ["args.2", "k2"],
      ],
      { args: ["--api-key", "R0", "--token=R1", "--port", "80"] },
    ],
    [
      { url: "https://me:pass%20word@h.example/mcp?api_key=a%26b&v=2&token=t" },
      [
        ["url-password", "pass%20word"],
        ["url?api_key", "a%26b"],
        ["url?token", "t"],
      ],
      { url: "https://me:R0@h.example/mcp?api_key=R1&v=2&token=R2" },
    ],
    [
      { url: "https://h.example/t/ghp_0123456789abcdefghijABCDEFGHIJ012345/mcp" },
      [["url-path-2", TOKEN]],
      { url: "https://h.example/t/R0/mcp" },
    ],
    [
      { oauth: { client_id: "proxy", client_secret: "s1", extra_params: { audience: "crm", api_key: "s2" } } },
      [
        ["oauth.client_secret", "s1"],
        ["oauth.extra_params.api_key", "s2"],
      ],
      { oauth: { client_id: "proxy", client_secret: "R0", extra_params: { audience: "crm", api_key: "R1" } } },
    ],
    [
      { env: { API_TOKEN: "${env:X}", B_TOKEN: "", C_TOKEN: "Bearer ${keyring:x}" }, args: ["--token=${keyring:t}"] },
      [],
      { env: { API_TOKEN: "${env:X}", B_TOKEN: "", C_TOKEN: "Bearer ${keyring:x}" }, args: ["--token=${keyring:t}"] },
    ],
  ];
  for (const [parts, expected, replaced] of rows) {
    const server = { name: "s", ...parts };
    const found = clearSecrets(server);
    assert.deepEqual(
      found.map(({ field, value }) => [field, value]),
      expected,
    );
    assert.deepEqual(
      found.reduce((it, secret, i) => secret.replace(it, `R${i}`), server as Parameters<typeof clearSecrets>[0]),
      { name: "s", ...replaced },
    );
  }
});

test("an argument is named after the flag before it, or by its place, and never after a secret", () => {
  const base64 = Buffer.from("a secret of some length!!").toString("base64");
  const rows: [args: string[], names: Record<string, string>][] = [
    [["--api-key", "s3cret-one"], { "args.1": "s-api-key" }],
    [["--api-key=s3cret-one"], { "args.0": "s-api-key" }],
    [["API_KEY=s3cret-one"], { "args.0": "s-API_KEY" }],
    [["--api-key", "s3cret-one", TOKEN], { "args.1": "s-api-key", "args.2": "s-arg-2" }],
    [["--api-key", "-s3cret-one", TOKEN], { "args.1": "s-api-key", "args.2": "s-arg-2" }],
    [["--api-key", base64], { "args.1": "s-api-key" }],
    [["serve", TOKEN], { "args.1": "s-arg-1" }],
    [["-pS3cretPassword", TOKEN], { "args.1": "s-arg-1" }],
    [["-password", "s3cret-one"], { "args.1": "s-password" }],
  ];
  for (const [args, names] of rows) {
    const found = clearSecrets({ name: "s", command: "x", args });
    assert.deepEqual(Object.fromEntries(found.map(({ field, name }) => [field, name])), names, args.join(" "));
    for (const { value } of found) for (const { name } of found) assert.ok(!name.includes(value), args.join(" "));
  }
  assert.match(base64, /=$/);
  assert.deepEqual(
    clearSecrets({ name: "s", command: "x", args: ["--api-key", base64] }).map(({ value }) => value),
    [base64],
  );
});
