import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { type Client, type Reach, readServers } from "#lib/modules/connect/client.ts";
import { CLIENTS } from "#lib/modules/connect/clients.ts";
import { Malformed, parse } from "#lib/modules/connect/document.ts";

const HTTP: Reach = { kind: "http", url: "https://h.example/mcp", headers: { "X-API-Key": "k" } };
const SSE: Reach = { kind: "sse", url: "https://h.example/sse", headers: {} };
const STDIO: Reach = { kind: "stdio", command: "npx", args: ["-y", "a b"], env: { TOKEN: "t" }, cwd: "/w" };

const client = (id: string): Client => CLIENTS.find((c) => c.id === id)!;

/** A document with one server, as the client would have it. */
function holding(c: Client, name: string, raw: object): unknown {
  const servers = c.list ? [raw] : { [name]: raw };
  return c.at({}).reduceRight<unknown>((inner, key) => ({ [key]: inner }), servers);
}

test("every file of a client is in the list, under an id of its own", () => {
  const files = readdirSync("lib/modules/connect/clients");
  const ids = CLIENTS.map((c) => c.id);
  assert.equal(new Set(ids).size, ids.length);
  for (const file of files) assert.ok(ids.includes(file.replace(".ts", "")), file);
});

for (const c of CLIENTS)
  test(`what is written for ${c.name} is read again`, () => {
    for (const reach of [HTTP, SSE, STDIO]) {
      const { entries, unread } = readServers(c, holding(c, "x", c.shape.write(reach, "x")));
      assert.deepEqual(unread, []);
      assert.equal(entries[0]!.name, "x");
      assert.equal(entries[0]!.enabled, true);
      // The older transport is told by its address where a client has no word for it.
      assert.deepEqual(entries[0]!.reach, reach);
    }
  });

const RAW: [what: string, id: string, raw: object, expected: Partial<ReturnType<typeof one>>][] = [
  ["a copied entry in another client's words", "cursor", { serverUrl: "https://h/mcp" }, { kind: "http" }],
  ["the older transport by its type", "gemini", { url: "https://h/x", type: "sse" }, { kind: "sse" }],
  ["the older transport by its address", "gemini", { url: "https://h/sse?a=1" }, { kind: "sse" }],
  ["an address that may be of either transport", "gemini", { url: "https://h/x" }, { kind: "http" }],
  [
    "an entry whose transport is an object of its own",
    "cline",
    { transport: { type: "sse", url: "https://h/x" }, disabled: true, autoApprove: ["a"] },
    { kind: "sse", enabled: false, leftOut: ["autoApprove"] },
  ],
  [
    "headers one level lower",
    "continue",
    { url: "https://h", requestOptions: { headers: { A: "1" } } },
    { leftOut: [] },
  ],
  [
    "more than headers one level lower",
    "continue",
    { url: "https://h", requestOptions: { headers: { A: "1" }, timeout: 5 } },
    { leftOut: ["requestOptions"] },
  ],
  ["the present transport by its type", "gemini", { url: "https://h/x", type: "http" }, { kind: "http" }],
  ["a program as an object", "zed", { command: { path: "p", args: ["a"], env: { A: "1" } } }, { kind: "stdio" }],
  ["a program and its arguments in one list", "opencode", { type: "local", command: ["p", "a"] }, { kind: "stdio" }],
  ["a disabled entry", "cline", { url: "https://h", disabled: true }, { enabled: false }],
  ["a disabled entry, the other way round", "goose", { uri: "https://h", enabled: false }, { enabled: false }],
  ["keys that have no word here", "cursor", { url: "https://h", envFile: ".env", x: [] }, { leftOut: ["envFile"] }],
];

const one = (id: string, raw: object) => {
  const [entry] = readServers(client(id), holding(client(id), "x", { name: "x", ...raw })).entries;
  return { kind: entry!.reach.kind, enabled: entry!.enabled, leftOut: entry!.leftOut };
};

for (const [what, id, raw, expected] of RAW)
  test(`read is ${what}`, () => {
    const found = one(id, raw);
    assert.deepEqual({ ...found, ...expected }, found);
  });

test("an entry that has neither a command nor a url is told, not dropped", () => {
  const { entries, unread } = readServers(client("cursor"), { mcpServers: { a: { url: "https://h" }, b: {}, c: 1 } });
  assert.deepEqual(
    entries.map((e) => e.name),
    ["a"],
  );
  assert.deepEqual(
    unread.map((u) => u.name),
    ["b", "c"],
  );
});

test("OpenCode's servers are found on either level", () => {
  const c = client("opencode");
  assert.equal(readServers(c, { mcp: { servers: { a: { type: "remote", url: "https://h" } } } }).entries[0]!.name, "a");
  assert.equal(readServers(c, { mcp: { servers: { type: "remote", url: "https://h" } } }).entries[0]!.name, "servers");
});

test("a text is parsed by its format, and what cannot be read says where", () => {
  assert.deepEqual(parse("json", '\uFEFF{ "a": 1, // c\n }'), { a: 1 });
  assert.deepEqual({ ...(parse("toml", "a = 1\n") as object) }, { a: 1 });
  assert.deepEqual(parse("yaml", "a: 1 # c\n"), { a: 1 });
  for (const format of ["json", "toml", "yaml"] as const) {
    assert.deepEqual(parse(format, " \n"), {});
    assert.throws(() => parse(format, '{ "a": [ '), Malformed, format);
  }
  assert.throws(() => parse("json", `${"[".repeat(200_000)}`), Malformed);
  assert.throws(() => parse("json", '{\n "a": }'), /line 2/);
});

test("what is nested deeper than anybody writes by hand is refused in every format", () => {
  const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
  for (const [format, text] of [
    ["json", `{ "a": ${deep} }`],
    ["toml", `a = ${deep}\n`],
    ["yaml", `a: ${deep}\n`],
  ] as const)
    assert.throws(() => parse(format, text), Malformed, format);
});

const FILLED: [what: string, id: string, raw: object, held: Readonly<Record<string, string>>][] = [
  [
    "a bearer token's variable",
    "codex",
    { url: "https://h", bearer_token_env_var: "T" },
    { Authorization: `Bearer \${env:T}` },
  ],
  [
    "another's word for it",
    "kimi",
    { url: "https://h", bearerTokenEnvVar: "T" },
    { Authorization: `Bearer \${env:T}` },
  ],
  [
    "headers by variables",
    "codex",
    { url: "https://h", env_http_headers: { "X-K": "K" }, http_headers: { A: "1" } },
    { "X-K": `\${env:K}`, A: "1" },
  ],
  [
    "headers for each request",
    "copilot-jetbrains",
    { url: "https://h", requestInit: { headers: { A: "1" } } },
    { A: "1" },
  ],
  [
    "variables that are passed on",
    "codex",
    { command: "x", env_vars: ["A", { name: "B", source: "local" }], env: { A: "1" } },
    { A: "1", B: `\${env:B}` },
  ],
  ["secrets of a keyring", "goose", { cmd: "x", env_keys: ["K"], envs: { A: "1" } }, { K: `\${input:K}`, A: "1" }],
];
for (const [what, id, raw, held] of FILLED)
  test(`read is ${what}, which a client fills in by itself`, () => {
    const c = client(id);
    const [entry] = readServers(c, holding(c, "x", { name: "x", ...raw })).entries;
    const { reach, leftOut } = entry!;
    assert.deepEqual(reach.kind === "stdio" ? reach.env : reach.headers, held);
    assert.deepEqual(leftOut, []);
  });
