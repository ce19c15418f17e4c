import assert from "node:assert/strict";
import { test } from "node:test";
import { findServers } from "#lib/modules/connect/import/find.ts";

const GIT = { command: "git-mcp", args: ["--stdio"] };
const json = (value: unknown) => JSON.stringify(value);

const TEXTS: [what: string, text: string, format: string, names: string[]][] = [
  ["the usual map", json({ mcpServers: { git: GIT, web: { url: "https://w.example/mcp" } } }), "json", ["git", "web"]],
  ["an editor's map", json({ servers: { git: { type: "stdio", ...GIT } } }), "json", ["git"]],
  ["an editor's settings", json({ theme: "dark", context_servers: { git: GIT } }), "json", ["git"]],
  ["a map two levels down", json({ mcp: { servers: { git: GIT } } }), "json", ["git"]],
  ["a map one level down", json({ mcp: { git: { type: "local", command: ["git-mcp", "--stdio"] } } }), "json", ["git"]],
  ["a key with a dot", json({ "amp.mcpServers": { git: GIT } }), "json", ["git"]],
  ["a map alone", json({ git: GIT }), "json", ["git"]],
  ["this proxy's own list", json({ mcpServers: [{ name: "git", ...GIT }] }), "json", ["git"]],
  [
    "comments and a last comma",
    '// mine\n{ "mcpServers": { /* one */ "git": { "command": "git-mcp", }, }, }',
    "json",
    ["git"],
  ],
  ["a byte order mark", `\uFEFF${json({ mcpServers: { git: GIT } })}`, "json", ["git"]],
  ["TOML", '# mine\nmodel = "x"\n\n[mcp_servers.git]\ncommand = "git-mcp"\nargs = ["--stdio"]\n', "toml", ["git"]],
  ["YAML with a list", "models: []\nmcpServers:\n  - name: git\n    command: git-mcp\n", "yaml", ["git"]],
  ["YAML with a map", "extensions:\n  git:\n    type: stdio\n    cmd: git-mcp\n", "yaml", ["git"]],
];
for (const [what, text, format, names] of TEXTS)
  test(`servers are found in ${what}`, () => {
    const found = findServers(text);

    assert.equal(found.format, format);
    assert.deepEqual(
      found.entries.map(({ name }) => name),
      names,
    );
  });

test("a client's word says where its servers stand and how its entries are read", () => {
  const found = findServers(json({ mcpServers: { no: GIT }, servers: { git: GIT } }), "vscode");

  assert.deepEqual([found.format, found.formatName, found.entries.length], ["vscode", "VS Code", 1]);
  assert.equal(found.entries[0]?.name, "git");
});

test("servers of single projects are found, too, and say so", () => {
  const document = {
    mcpServers: { web: { url: "https://w.example/mcp" } },
    projects: { "/src/a": { mcpServers: { git: GIT } }, "/src/b": { mcpServers: {} }, "/src/c": { history: [] } },
  };
  for (const format of ["claude-code", undefined])
    assert.deepEqual(
      findServers(json(document), format).entries.map(({ name, project }) => [name, project]),
      [
        ["web", undefined],
        ["git", "/src/a"],
      ],
    );
  const alone = { mcpServers: {}, projects: document.projects };
  assert.equal(findServers(json(alone)).entries.length, 1);
});

const BROKEN: [what: string, text: string, format: string | undefined, says: RegExp][] = [
  ["broken JSON", '{\n "mcpServers": {', undefined, /cannot be read as JSON: line 2/],
  ["broken TOML", "[mcp_servers.git\ncommand = 1", "toml", /cannot be read as TOML/],
  ["a plain text", "hello", undefined, /contains no YAML object/],
  ["nothing", "", undefined, /no servers found/],
  ["no servers", json({ theme: "dark" }), undefined, /no servers found; the proxy looks for them under mcpServers/],
  ["an unknown format", "{}", "xml", /"xml" is not a known format; use json, toml, yaml or one of: claude-code/],
  [
    "YAML that grows without end",
    `a: &a [x,x]\nb: &b [*a,*a]\n${"c: [*b,*b,*b]\n".repeat(1)}${grown()}`,
    "yaml",
    /YAML/,
  ],
];
for (const [what, text, format, says] of BROKEN)
  test(`${what} is refused with its reason`, () => {
    assert.throws(() => findServers(text, format), says);
  });

/** A list of lists of lists: each line ten times the one before. */
function grown(): string {
  const lines = ["l0: &l0 [x,x,x,x,x,x,x,x,x,x]"];
  for (let i = 1; i < 9; i++)
    lines.push(
      `l${i}: &l${i} [${Array(10)
        .fill(`*l${i - 1}`)
        .join(",")}]`,
    );
  return lines.join("\n");
}
