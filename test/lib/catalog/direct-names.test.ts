import assert from "node:assert/strict";
import { test } from "node:test";
import { directName, directNames } from "#lib/catalog/direct-names.ts";
import { listed, testCatalog } from "#test/kit/catalog.ts";

const nameOf = (server: string, name: string) => directName({ id: `${server}:${name}`, server, name });
const ACCEPTED = /^[a-zA-Z0-9_-]{1,64}$/;

test("a tool is called serverName__toolName in direct mode (spec 001 §2.1)", () => {
  for (const [server, tool, name] of [
    ["git", "log", "git__log"],
    ["my-files", "read_file", "my-files__read_file"],
    ["a", "_private", "a___private"],
    ["a", "b__c", "a__b__c"],
    // The last word has as many letters as the hash of a changed name.
    ["memory", "add_observations", "memory__add_observations"],
  ])
    assert.equal(nameOf(server!, tool!), name);
});

test("every name is one that clients accept, and no two tools share one", () => {
  const servers = [
    "a",
    "a_",
    "_a",
    "a__b",
    "a.b",
    "a b",
    "a/b",
    "名",
    "s".repeat(70),
    "io.github.some/very-long-server",
  ];
  const tools = ["c", "_c", "b__c", "c.d", "c d", "查询", "t".repeat(70), `${"t".repeat(69)}u`, "t".repeat(60), "Ünï"];
  const seen = new Map<string, string>();
  for (const server of servers)
    for (const tool of tools) {
      const name = nameOf(server, tool);
      assert.match(name, ACCEPTED, `${server}:${tool}`);
      assert.equal(seen.get(name), undefined, `${server}:${tool} and ${seen.get(name)} are both ${name}`);
      seen.set(name, `${server}:${tool}`);
    }
});

test("a tool cannot take the name that another server's tool was given", () => {
  const changed = nameOf("a__b", "c");
  assert.match(changed, /^a__b__c_[0-9][0-9a-z]{11}$/);

  const [server, tool] = ["a", changed.slice("a__".length)];

  assert.notEqual(nameOf(server, tool), changed);
  assert.match(nameOf(server, tool), ACCEPTED);
});

test("names lead back to ids over the current catalog, and are made again only when it changes", async () => {
  const { catalog } = testCatalog({ "my server": {}, git: {} });
  await catalog.accept("my server", [listed("do it")]);

  const names = directNames(catalog);
  const name = names.nameOf("my server:do it")!;

  assert.equal(names.idOf(name), "my server:do it");
  assert.equal(names.idOf("my server__do it"), "my server:do it", "also as its server writes it");
  assert.equal(names.nameOf("git:log"), undefined);
  assert.equal(directNames(catalog), names);
  await catalog.accept("git", [listed("log")]);
  assert.equal(directNames(catalog).idOf("git__log"), "git:log");
  assert.equal(directNames(catalog).nameOf("my server:do it"), name);
});

test("a name as written stands for a tool only where no other tool has it", async () => {
  const { catalog } = testCatalog({ a__b: {}, a: {} });
  await catalog.accept("a__b", [listed("größe")]);
  await catalog.accept("a", [listed("b__größe"), listed("tool_ü")]);

  const { idOf } = directNames(catalog);

  assert.equal(idOf("a__b__größe"), undefined);
  assert.equal(idOf("a__tool_ü"), "a:tool_ü");
});
