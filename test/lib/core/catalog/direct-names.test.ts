import assert from "node:assert/strict";
import { test } from "node:test";
import { directIdOf, directName } from "#lib/core/catalog/direct-names.ts";
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

test("names lead back to ids over the current catalog, also as their servers write them", async () => {
  const { catalog } = testCatalog({ "my server": {}, git: {} });
  await catalog.acceptListing("my server", [listed("do it")]);
  const name = nameOf("my server", "do it");

  assert.equal(directIdOf(catalog, name), "my server:do it");
  assert.equal(directIdOf(catalog, "my server__do it"), "my server:do it", "as its server writes it");
  assert.equal(directIdOf(catalog, "git__log"), undefined);

  await catalog.acceptListing("git", [listed("log")]);
  assert.equal(directIdOf(catalog, "git__log"), "git:log");
  assert.equal(directIdOf(catalog, name), "my server:do it");

  await catalog.acceptListing("my server", []);
  assert.equal(directIdOf(catalog, name), undefined);
});

test("every name leads back to its own tool, whatever signs the names of server and tool have", async () => {
  const servers = ["a", "a__b", "a_", "größe", "x".repeat(60), `${"x".repeat(59)}y`, "日本"];
  const tools = ["b", "b__c", "__", "do it", "ü", "t".repeat(80), "c_0abcdefghijk"];
  const { catalog } = testCatalog(Object.fromEntries(servers.map((server) => [server, {}])));
  for (const server of servers)
    await catalog.acceptListing(
      server,
      tools.map((tool) => listed(tool)),
    );

  for (const row of catalog.all()) assert.equal(directIdOf(catalog, directName(row)), row.id, directName(row));
});

test("to find the tool of a name, the tools of other servers are not looked at", async () => {
  const { catalog } = testCatalog({ git: {}, mail: {} });
  await catalog.acceptListing("git", [listed("größe")]);
  await catalog.acceptListing("mail", [listed("größe")]);
  const read: string[] = [];
  const of = (server: string) => {
    read.push(server);
    return catalog.of(server);
  };
  const watched = { ...catalog, of };

  assert.equal(directIdOf(watched, nameOf("git", "größe")), "git:größe");
  assert.deepEqual(read, ["git"]);
});

test("a name as written stands for a tool only where no other tool has it", async () => {
  const { catalog } = testCatalog({ a__b: {}, a: {} });
  await catalog.acceptListing("a__b", [listed("größe")]);
  await catalog.acceptListing("a", [listed("b__größe"), listed("tool_ü")]);

  assert.equal(directIdOf(catalog, "a__b__größe"), undefined);
  assert.equal(directIdOf(catalog, "a__tool_ü"), "a:tool_ü");
});
