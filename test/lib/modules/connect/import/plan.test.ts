import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServerConfig } from "#lib/core/config/config-keys.ts";
import { findServers } from "#lib/modules/connect/import/find.ts";
import { plan, type Wishes } from "#lib/modules/connect/import/plan.ts";
import { clearSecrets } from "#lib/modules/vault/clear.ts";

const SELF = { listenAddr: "127.0.0.1:8080", addresses: ["192.168.1.7"] };

function planned(mcpServers: Record<string, unknown>, configured: object[] = [], wishes: Wishes = {}) {
  const { entries } = findServers(JSON.stringify({ mcpServers }));
  return plan(entries, configured as ServerConfig[], wishes, SELF);
}
const reasons = (skip: { name: string; reason: string }[]) => skip.map(({ name, reason }) => `${name}: ${reason}`);

test("an entry becomes a server with what it runs or reaches, and what has no meaning here is named", () => {
  const { add, skip } = planned({
    git: { command: "git-mcp", args: ["-v"], env: { A: "1" }, cwd: "/src", autoApprove: ["x"], disabled: true },
    web: { url: "https://w.example/sse", headers: { "X-Team": "a" } },
    api: { type: "http", url: "https://a.example/mcp" },
  });

  assert.deepEqual(skip, []);
  assert.deepEqual(
    add.map(({ server }) => server),
    [
      { name: "git", command: "git-mcp", args: ["-v"], env: { A: "1" }, working_dir: "/src", enabled: false },
      { name: "web", url: "https://w.example/sse", protocol: "sse", headers: { "X-Team": "a" } },
      { name: "api", url: "https://a.example/mcp" },
    ],
  );
  assert.deepEqual(add[0]?.leftOut, ["autoApprove"]);
  assert.match(add[0]?.remarks.join() ?? "", /disabled in the client/);
});

test("a command with an address of this machine is taken over with both; any other address means nothing for it", () => {
  const command = "notes-server";
  const { add } = planned({
    here: { command, args: ["a"], url: "http://127.0.0.1:9000/mcp" },
    away: { command, args: ["b"], url: "https://w.example/mcp" },
    ours: { command, args: ["c"], url: "http://127.0.0.1:8080/mcp" },
    odd: { command, args: ["d"], url: 7 },
  });

  assert.deepEqual(
    add.map(({ server, leftOut }) => [server.url, leftOut]),
    [
      ["http://127.0.0.1:9000/mcp", []],
      [undefined, ["url"]],
      [undefined, ["url"]],
      [undefined, ["url"]],
    ],
  );
});

const OURS: [what: string, entry: object][] = [
  ["its address", { url: "http://127.0.0.1:8080/mcp" }],
  ["another name of this machine", { url: "http://localhost:8080/mcp/all" }],
  ["this machine's address in its network", { url: "http://192.168.1.7:8080/mcp/p/work" }],
  ["a bridge", { command: "npx", args: ["-y", "mcp-remote", "http://[::1]:8080/mcp"] }],
  ["starting it", { command: "/usr/local/bin/proxy", args: ["serve", "--stdio"] }],
  ["starting its bundle", { command: "node", args: ["C:\\app\\proxy.cjs", "serve", "--stdio"] }],
  ["its own bridge", { command: "/usr/local/bin/proxy", args: ["bridge", "--data-dir", "/data"] }],
  ["an alias of its endpoint", { url: "http://127.0.0.1:8080/all/mcp" }],
];
for (const [what, entry] of OURS)
  test(`an entry that refers to this proxy by ${what} is left out`, () => {
    assert.deepEqual(reasons(planned({ p: entry }).skip), ["p: own_entry"]);
  });

const OTHERS: object[] = [
  { url: "http://127.0.0.1:8081/mcp" },
  { url: "https://w.example:8080/mcp" },
  { url: "http://127.0.0.1:8080/other" },
  { command: "proxy", args: ["list"] },
];
for (const entry of OTHERS)
  test(`${JSON.stringify(entry)} leads elsewhere`, () => {
    assert.equal(planned({ p: entry }).add.length, 1);
  });

test("what is configured already is not added again, by name or by what it runs", () => {
  const configured = [
    { name: "git", command: "git-mcp", args: [] },
    { name: "web", url: "https://w.example/mcp" },
  ];
  const { add, skip } = planned(
    {
      git: { command: "git-mcp" },
      GIT: { command: "git-mcp", env: { TOKEN: "other" } },
      web: { url: "https://other.example/mcp" },
      web2: { url: "https://w.example/mcp/" },
      new: { command: "a" },
      again: { command: "a" },
    },
    configured,
  );

  assert.deepEqual(reasons(skip), [
    "git: already_exists",
    "GIT: duplicate",
    "web: already_exists",
    "web2: duplicate",
    "again: duplicate",
  ]);
  assert.deepEqual(
    add.map(({ server }) => server.name),
    ["new"],
  );
});

test("a server whose secrets went to the keyring is known again", () => {
  const configured = [
    { name: "git", command: "git-mcp", args: ["--token=${keyring:git-token}", "-v"] },
    { name: "web", url: "https://w.example/${keyring:web-path}/mcp" },
  ];
  const { add, skip } = planned(
    {
      git: { command: "git-mcp", args: ["--token=abcd", "-v"] },
      site: { url: "https://w.example/abcdef/mcp" },
      other: { command: "git-mcp", args: ["--token=abcd", "-x"] },
      far: { url: "https://w.example/abcdef/other" },
    },
    configured,
  );

  assert.deepEqual(reasons(skip), ["git: already_exists", "site: duplicate"]);
  assert.deepEqual(
    add.map(({ server }) => server.name),
    ["other", "far"],
  );
});

test("a new name resolves a clash, and only what was asked for is taken", () => {
  const configured = [{ name: "git", command: "git-mcp" }];
  const entries = { git: { command: "git-mcp" }, web: { command: "w" } };
  const { add, skip } = planned(entries, configured, { names: ["git"], rename: { git: "git2" } });

  assert.deepEqual(
    add.map(({ originalName, server }) => [originalName, server.name]),
    [["git", "git2"]],
  );
  assert.deepEqual(reasons(skip), ["web: filtered_out"]);
  assert.deepEqual(reasons(planned(entries, [{ name: "git2", command: "x" }], { rename: { git: "git2" } }).skip), [
    "git: already_exists",
  ]);
});

test("names are made fit for tool ids, with a note, and stay apart", () => {
  const { add, skip } = planned({
    "My Server (dev)": { command: "a" },
    "my: server": { command: "b" },
    "my/server": { command: "c" },
    资料: { command: "d" },
    ":": { command: "e" },
  });

  assert.deepEqual(
    add.map(({ server }) => server.name),
    ["My-Server-dev", "my-server", "my-server-2", "资料"],
  );
  assert.match(add[0]?.remarks.join() ?? "", /is named "My Server \(dev\)" in the client/);
  assert.deepEqual(add[3]?.remarks, []);
  assert.deepEqual(reasons(skip), [":: invalid_name"]);
});

test("variables of clients become references of this proxy", () => {
  const { add } = planned({
    a: {
      command: "run",
      args: ["${HOME}/x", "${workspaceFolder}"],
      env: { A: "${env:TOKEN}", B: "${input:key}", C: "${PORT:-80}", D: "${{ secrets.PAT }}", E: "${keyring:k}" },
    },
  });

  assert.deepEqual(add[0]?.server.args, ["${env:HOME}/x", "${workspaceFolder}"]);
  assert.deepEqual(add[0]?.server.env, {
    A: "${env:TOKEN}",
    B: "${keyring:key}",
    C: "${env:PORT}",
    D: "${keyring:PAT}",
    E: "${keyring:k}",
  });
  assert.deepEqual(add[0]?.remarks, [
    "the variable ${workspaceFolder} is not supported",
    'asks for "key"; set it with: proxy secrets set key',
    "PORT has no default; set it in the environment of the proxy",
    'asks for "PAT"; set it with: proxy secrets set PAT',
  ]);
});

test("a variable is known without braces or without the dollar sign, where clients write it so", () => {
  const { add } = planned({
    a: {
      command: "run",
      args: ["$HOME", "{env:DIR}", "{file:~/key}"],
      env: { A: "$MY_TOKEN", B: "a$b", C: "US$ 5", D: "{env: KEY }" },
    },
    b: { url: "https://h.example/mcp", headers: { Authorization: "Bearer $T", X: "{file:~/key}" } },
  });

  assert.deepEqual(add[0]?.server.args, ["$HOME", "${env:DIR}", "{file:~/key}"]);
  assert.deepEqual(add[0]?.server.env, { A: "${env:MY_TOKEN}", B: "a$b", C: "US$ 5", D: "${env:KEY}" });
  assert.deepEqual(add[1]?.server.headers, { Authorization: "Bearer ${env:T}", X: "{file:~/key}" });
  assert.deepEqual(add[1]?.remarks, [
    "the proxy does not read the content of ~/key; enter the value instead of {file:~/key}",
  ]);
});

test("what a client fills in from its environment or its keyring becomes a reference, or is asked for", () => {
  const { add } = planned({
    a: { url: "https://h.example/mcp", bearer_token_env_var: "T", env_http_headers: { "X-Key": "K" } },
    b: { cmd: "run", env_keys: ["SECRET"], env_vars: ["PORT"] },
  });

  assert.deepEqual(add[0]?.server.headers, { Authorization: "Bearer ${env:T}", "X-Key": "${env:K}" });
  assert.deepEqual(add[1]?.server.env, { PORT: "${env:PORT}", SECRET: "${keyring:SECRET}" });
  assert.deepEqual(add[1]?.remarks, ['asks for "SECRET"; set it with: proxy secrets set SECRET']);
});

test("what looks like a secret is found in variables, headers and arguments, and can be replaced there", () => {
  const server = {
    name: "git",
    args: ["--api-key", "abcd1234efgh", "--token=xyz98765", "-v"],
    env: { TOKEN: "s3cr3t-value", LEVEL: "debug", OTHER_TOKEN: "${env:T}" },
    headers: { Authorization: "Bearer abcdef123456", Accept: "text/plain" },
  };
  const found = clearSecrets(server);

  assert.deepEqual(
    found.map(({ field, name }) => [field, name]),
    [
      ["env.TOKEN", "git-TOKEN"],
      ["headers.Authorization", "git-Authorization"],
      ["args.1", "git-api-key"],
      ["args.2", "git-token"],
    ],
  );
  const replaced = found.reduce<ReturnType<(typeof found)[number]["replace"]>>(
    (it, one) => one.replace(it, "R"),
    server,
  );
  assert.deepEqual(replaced, {
    name: "git",
    args: ["--api-key", "R", "--token=R", "-v"],
    env: { TOKEN: "R", LEVEL: "debug", OTHER_TOKEN: "${env:T}" },
    headers: { Authorization: "R", Accept: "text/plain" },
  });
});
