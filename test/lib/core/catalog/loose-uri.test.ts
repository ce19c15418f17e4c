import assert from "node:assert/strict";
import { test } from "node:test";
import { looseUri, parsedUri, withoutQuery } from "#lib/core/catalog/loose-uri.ts";

test("URIs that a server may take for one resource have the same loose form, and others do not", () => {
  const same = [
    [
      "file:///a/b",
      "FILE:///a/b",
      "file:/a/b",
      "file://localhost/a/b",
      "file:///a//b/",
      "file:///A/%62",
      "file:///a\\b",
    ],
    ["db://t?id=1", "db://t/?id=%31", "db://T?id=1#x"],
    ["note://bad/x", "note://bad/%2e/x", "note://bad/y%2f..%2fx", " note://bad/x\n"],
    ["no url", "no%20url"],
    ["r://%zz", "r://%zz/"],
  ];

  for (const [first = "", ...others] of same)
    for (const other of others) assert.equal(looseUri(other), looseUri(first), other);
  assert.equal(new Set(same.map(([first = ""]) => looseUri(first))).size, same.length);
  assert.equal(withoutQuery(looseUri("db://t?id=1")), looseUri("db://t"));
  assert.notEqual(looseUri("db://t?id=1"), looseUri("db://t?id=2"));
});

test("no number of upward segments leaves the scheme", () => {
  assert.equal(looseUri("a:/../%2e%2e/..%2f..%2fb"), "a:/b");
});

test("a URI is written as a parser of URLs writes it, and another text stays as it is", () => {
  assert.equal(parsedUri(" NOTE://a/./b "), "note://a/b");
  assert.equal(parsedUri("no url"), "no url");
});
