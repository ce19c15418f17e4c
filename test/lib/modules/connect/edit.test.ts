import assert from "node:assert/strict";
import { test } from "node:test";
import { members, type Reach } from "#lib/modules/connect/client.ts";
import { CLIENTS } from "#lib/modules/connect/clients.ts";
import { Malformed, parse } from "#lib/modules/connect/document.ts";
import { put, remove } from "#lib/modules/connect/edit.ts";
import { BROKEN, textsFor } from "./texts.ts";

const OURS: Reach = { kind: "http", url: "http://127.0.0.1:8080/mcp", headers: { "X-API-Key": 'k"\\é' } };
const NEXT: Reach = { kind: "http", url: "http://127.0.0.1:9090/mcp", headers: {} };

/** What a text says, without the ways to say "no servers". */
const said = (text: string) => text.replaceAll(/(:\s*)(?:null\b|\{\s*\}|\[\s*\])/g, "$1").replaceAll(/\s/g, "");

/** Whether the characters of one text are all in another, in their order. */
function isWithin(some: string, other: string): boolean {
  const wanted = said(some);
  let at = 0;
  for (const char of said(other)) if (char === wanted[at]) at++;
  return at === wanted.length;
}

for (const client of CLIENTS)
  for (const [what, text] of Object.entries(textsFor(client))) {
    const raw = client.shape.write(OURS, "mcpproxy");
    test(`${client.name}, ${what}: an entry is added, replaced and removed, and nothing else`, () => {
      const added = put(client, text, "mcpproxy", raw);
      const names = () => members(client, parse(client.format, added)).map(([name]) => name);
      assert.equal(names().filter((name) => name === "mcpproxy").length, 1);
      assert.ok(isWithin(text, added), added);
      if (text.includes("\r\n")) assert.ok(!/[^\r]\n/.test(added), "line ends stay Windows'");
      else assert.ok(!added.includes("\r"));
      assert.equal(added.startsWith("\uFEFF"), text.startsWith("\uFEFF"));

      assert.equal(put(client, added, "mcpproxy", raw), added, "a second time changes nothing");
      const replaced = put(client, added, "mcpproxy", client.shape.write(NEXT, "mcpproxy"));
      assert.equal(put(client, replaced, "mcpproxy", raw), added, "replaced and put back");

      const removed = remove(client, added, "mcpproxy");
      assert.ok(!removed.includes("mcpproxy"), removed);
      assert.ok(isWithin(text, removed), removed);
      // Where there were servers before, not a byte is left of it.
      if (/other servers$|line ends|mark|tabs|spaces$|one line$|odd|headers|dotted|flow|indentation/.test(what))
        assert.equal(removed, text);
    });
  }

test("OpenCode's servers one level lower are found there", () => {
  const client = CLIENTS.find((c) => c.id === "opencode")!;
  const text = `{\n  "mcp": {\n    "servers": {}\n  }\n}\n`;
  const added = put(client, text, "p", client.shape.write(NEXT, "p"));
  assert.deepEqual(Object.keys((JSON.parse(added) as { mcp: { servers: object } }).mcp.servers), ["p"]);
  assert.equal(remove(client, added, "p"), text);
});

test("an entry that an alias or a key given twice leads to is left alone", () => {
  const goose = CLIENTS.find((c) => c.id === "goose")!;
  const cursor = CLIENTS.find((c) => c.id === "cursor")!;
  const codex = CLIENTS.find((c) => c.id === "codex")!;
  const refused: [typeof goose, string][] = [
    [goose, "a: &x\n  b: { cmd: y }\nextensions: *x\n"],
    [goose, "extensions: 1\n"],
    [cursor, '{ "mcpServers": {}, "mcpServers": { "a": {} } }'],
    [cursor, '{ "mcpServers": [] }'],
    [cursor, '{ "mcpServers": "x" }'],
    [codex, "mcp_servers = { a = { command = 'x' } }\n"],
    [codex, "mcp_servers = 1\n"],
  ];
  for (const [client, text] of refused) assert.throws(() => put(client, text, "p", { url: "u" }), Malformed, text);
});

test("what cannot be read is not changed", () => {
  for (const client of CLIENTS)
    for (const text of BROKEN[client.format]) {
      assert.throws(() => put(client, text, "p", { url: "u" }), Malformed, `${client.id}: ${text}`);
      assert.throws(() => remove(client, text, "p"), Malformed, `${client.id}: ${text}`);
    }
});

test("an entry's own remarks go with it, those of others stay", () => {
  const codex = CLIENTS.find((c) => c.id === "codex")!;
  const text = `[mcp_servers.p] # mine\n# mine too\nurl = "u"\n\n[mcp_servers.p.http_headers]\na = "b"\n\n# of z\n[z]\na = 1\n`;
  assert.equal(remove(codex, text, "p"), "\n# of z\n[z]\na = 1\n");
});
