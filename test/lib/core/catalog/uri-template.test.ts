import assert from "node:assert/strict";
import { test } from "node:test";
import { UriTemplate } from "@modelcontextprotocol/sdk/shared/uriTemplate.js";
import { matchesUriTemplate, templateEffort } from "#lib/core/catalog/uri-template.ts";
import { effortMs } from "#test/kit/effort.ts";
import { seeded } from "#test/kit/random.ts";

test("what a template expands to matches it (10,000 cases)", () => {
  const { pick, text } = seeded(19);
  const pieces = [
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
    "?z=1",
  ];

  for (let i = 0; i < 10_000; i++) {
    const template = pick(["file:///", "repo://o/", "mailto:"]) + text(pieces, 5);
    const values = {
      id: text(["4", " ", "é", "/", "&"], 4),
      path: text(["a", "/", "?"], 4),
      q: "x&y",
      list: ["r", "g ü"],
    };
    const uri = new UriTemplate(template).expand(values);

    assert.ok(matchesUriTemplate(template, uri), `${template} ${uri}`);
  }
});

test("a template matches its URIs and no others", () => {
  const rows: [template: string, uri: string, matches: boolean][] = [
    ["note://{id}", "note://7", true],
    ["note://{id}", "note://7/8", false],
    ["note://{id}", "notes://7", false],
    ["note://{id}", "note://ann@example.com", true],
    ["note://{id}", "note://7?v=1#top", true],
    ["note://{id}/text", "note://7/text", true],
    ["note://{id}/text", "note://7/texts", false],
    ["file:///{+path}", "file:///a/b", true],
    ["repo://o{/list*}", "repo://o/a/b", true],
    ["repo://o{/list*}", "repo://p/a/b", false],
    ["repo://o{?q}", "repo://o?q=1", true],
    ["repo://o{?q}", "repo://o?q=a/b", true],
    ["repo://{a}-{b}", "repo://x-y-z", true],
    ["plain://x", "plain://x", true],
    ["{+all}", "anything at all", true],
  ];

  for (const [template, uri, matches] of rows)
    assert.equal(matchesUriTemplate(template, uri), matches, `${template} ${uri}`);
});

test("what the official SDK matches with a template matches it (10,000 cases)", () => {
  const { pick, text } = seeded(29);
  const pieces = ["{id}", "{+path}", "{/id}", "{?q}", "a", "/"];
  let matched = 0;

  for (let i = 0; i < 10_000; i++) {
    const template = pick(["r://", "r://a/"]) + text(pieces, 3);
    const uri = pick(["r://", "r://a/"]) + text(["a", "/", "@", ":", "!", "?q=", "#", " ", "é", "%2F", "(", "'"], 4);
    if (!new UriTemplate(template).match(uri)) continue;
    matched++;

    assert.ok(matchesUriTemplate(template, uri), `${template} ${uri}`);
  }
  assert.ok(matched > 500, String(matched));
});

test("a template and a URI that fit nowhere are compared in bounded time", () => {
  const template = `x${"{+a}y".repeat(15)}`;

  const ms = effortMs(() => {
    assert.equal(matchesUriTemplate(template, `x${"y".repeat(2000)}z`), false);
    assert.equal(matchesUriTemplate(template, `x${"y".repeat(100_000)}`), undefined);
    assert.equal(matchesUriTemplate(template, "y".repeat(100_000)), false);
    assert.equal(matchesUriTemplate("{+a}".repeat(1000), "x"), undefined);
  });

  assert.ok(ms < 1000, `${ms} ms`);
});

test("the templates of one request share their effort: nothing is compared once it is used up", () => {
  const templates = Array.from({ length: 5000 }, (_, i) => `x${"{+a}y".repeat(15)}${i}`);
  const uri = `x${"y".repeat(2000)}z`;
  const effort = templateEffort();

  const ms = effortMs(() => {
    for (let i = 0; i < 200; i++) for (const template of templates) matchesUriTemplate(template, uri, effort);
  });

  assert.ok(effort.steps < 0);
  assert.equal(matchesUriTemplate("x{+a}", "xy", effort), undefined);
  assert.ok(ms < 1000, `${ms} ms`);
});
