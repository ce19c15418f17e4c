import assert from "node:assert/strict";
import { test } from "node:test";
import { UriTemplate } from "@modelcontextprotocol/sdk/shared/uriTemplate.js";
import { mayBeMappedUri, serverToken, unmapUri, uriMap } from "#lib/core/catalog/uri-map.ts";
import { seeded } from "#test/kit/random.ts";

const SERVERS = [
  "git",
  "GitHub",
  "my server",
  "a_b",
  "-x",
  "x--00",
  "ö",
  "日本",
  "a/b",
  "a?b#c",
  "{x}",
  "via",
  "",
  "..",
  "a:b@c",
];
const PIECES = [
  "a",
  "/",
  ":",
  "//",
  "?",
  "#",
  "%20",
  "{id}",
  "via://git/",
  "ui://",
  "UI://",
  "via.",
  "..",
  "é",
  "😀",
  " ",
  "\\",
];
const STARTS = [
  "file:///",
  "https://h/",
  "ui://",
  "UI://via.git/",
  "via://git/",
  "mailto:",
  "urn:x:",
  "data:,",
  "C:\\",
  "",
  "note1",
];

test("a mapped URI leads back to its server and its own text, and no two share one (10,000 cases)", () => {
  const { pick, text, below } = seeded(17);
  const seen = new Map<string, string>();

  for (let i = 0; i < 10_000; i++) {
    const server = below(10) < 7 ? pick(SERVERS) : text(["a", "B", "-", ".", "_", " ", "é", "x--", "日"], 8);
    const uri = pick(STARTS) + text(PIECES, 6);
    const mapped = uriMap(server).map(uri);

    assert.deepEqual(unmapUri(mapped), { server, uri });
    assert.equal(uriMap(server).unmap(mapped), uri);
    assert.ok(mayBeMappedUri(mapped));
    const owner = JSON.stringify([server, uri]);
    assert.equal(seen.get(mapped) ?? owner, owner);
    seen.set(mapped, owner);
    assert.equal(/^ui:\/\//i.test(mapped), /^ui:\/\//i.test(uri), "the scheme of apps stays");
  }
});

test("a server's token is a host in lower case, and a client that folds scheme and host still reaches the server", () => {
  for (const server of SERVERS) {
    assert.match(serverToken(server), /^[a-z0-9._-]+$/);
    const shouted = uriMap(server)
      .map("note://1")
      .replace(/^via:\/\/[^/]*/, (head) => head.toUpperCase());
    assert.deepEqual(unmapUri(shouted), { server, uri: "note://1" });
  }
  assert.notEqual(serverToken("GitHub"), serverToken("github"));
});

test("the expansion of a mapped template is the mapped expansion (10,000 cases)", () => {
  const { pick, text } = seeded(18);
  const expressions = [
    "{id}",
    "{+path}",
    "{#path}",
    "{.id}",
    "{/id}",
    "{?q}",
    "{?q,id}",
    "{&q}",
    "{list*}",
    "{/list*}",
    "a",
    "/b/",
    "~",
  ];
  const values = { id: "4 2", path: "a/b c", q: "x&y", list: ["r", "g ü"], scheme: "ui" };
  const expand = (template: string) => new UriTemplate(template).expand(values);

  for (let i = 0; i < 10_000; i++) {
    const server = pick(SERVERS.filter((name) => name !== "{x}"));
    const template =
      pick(["file:///", "ui://", "ui://app/", "{scheme}://", "mailto:", "via://a/"]) + text(expressions, 4);

    assert.deepEqual(unmapUri(expand(uriMap(server).map(template))), { server, uri: expand(template) });
  }
});

test("what was not mapped here is not read as mapped", () => {
  for (const text of [
    "file:///x",
    "via:/git/x",
    "via://git",
    "via://x--0/x",
    "via://x--zz/x",
    "ui://git/x",
    "via://a b/x",
  ])
    assert.equal(unmapUri(text), undefined, text);
  assert.equal(uriMap("git").unmap("via://github/x"), undefined);
});

test("most texts are known not to be mapped URIs without a look at a server's name", () => {
  for (const text of ["", "hello", "file:///notes", "https://h/", "u", "uid", "U"])
    assert.ok(!mayBeMappedUri(text), text);
});
