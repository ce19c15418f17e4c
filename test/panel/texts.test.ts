import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { answerText } from "#handlers/ui/panel/views/activity/answer.ts";
import { installLinks } from "#handlers/ui/panel/views/connect/install-links.ts";
import { packageOf } from "#lib/client/setup/package-name.ts";

const PACKAGES: [line: string, text: string][] = [
  ["npx -y @modelcontextprotocol/server-memory", "@modelcontextprotocol/server-memory"],
  ["/usr/bin/npx -y @modelcontextprotocol/server-filesystem /home/me", "@modelcontextprotocol/server-filesystem"],
  ["C:\\nodejs\\npx.cmd -y server", "server"],
  ["uvx mcp-server-time", "mcp-server-time"],
  ["pnpm dlx some-server", "some-server"],
  ["npx -y", "npx -y"],
  ["/opt/tools/git-mcp --repo .", "git-mcp --repo ."],
  ["docker run -i image", "docker run -i image"],
];

for (const [line, text] of PACKAGES)
  test(`a server started by "${line}" is known by "${text}"`, () => {
    const [command, ...args] = line.split(" ");
    assert.equal(packageOf({ command, args }), text);
  });

test("an answer of texts alone is read as text, anything else stays JSON", () => {
  const answer = (...content: object[]) => answerText(JSON.stringify({ content }));

  assert.equal(answer({ type: "text", text: 'a\n"b"' }, { type: "text", text: "c" }), 'a\n"b"\nc');
  assert.equal(answer(), undefined);
  assert.equal(answer({ type: "text", text: "a" }, { type: "image", data: "x" }), undefined);
  assert.equal(answer({ type: "text", text: 3 }), undefined);
  assert.equal(answerText('{"content": [{"type": "text", "te'), undefined, "cut off");
  assert.equal(answerText("[]"), undefined);
});

test("install links carry the address in the form that each client reads, and the README has those of the default address", () => {
  const url = "http://127.0.0.1:8080/mcp";
  const [cursor, code, insiders] = installLinks(url).map(({ href }) => new URL(href));
  const vscode = { name: "mcpproxy", type: "http", url };
  const readme = readFileSync("README.md", "utf8");
  const link = (client: string) => new URL(new RegExp(`\\[${client}\\]\\((\\S+)\\)`).exec(readme)![1]!);

  assert.equal(cursor!.searchParams.get("name"), "mcpproxy");
  assert.deepEqual(JSON.parse(atob(cursor!.searchParams.get("config")!)), { url });
  assert.deepEqual([code!.protocol, insiders!.protocol], ["vscode:", "vscode-insiders:"]);
  for (const { pathname, search } of [code!, insiders!])
    assert.deepEqual([pathname, JSON.parse(decodeURIComponent(search.slice(1)))], ["mcp/install", vscode]);
  assert.equal(link("Cursor").search, cursor!.search);
  assert.equal(link("VS Code").searchParams.get("url"), code!.href);
});
