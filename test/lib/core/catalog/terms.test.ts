import assert from "node:assert/strict";
import { test } from "node:test";
import { normalizedName, queryTerms, termsOf } from "#lib/core/catalog/terms.ts";
import { effortMs } from "#test/kit/effort.ts";

test("identifiers are found by their parts and as a whole, however they are written", () => {
  for (const name of ["create_pull_request", "createPullRequest", "create-pull-request", "CreatePullRequest"])
    assert.deepEqual([...termsOf(name)], ["creat", "pull", "request", "=createpullrequest"], name);
  assert.deepEqual([...termsOf("parseHTMLDocument")], ["pars", "html", "document", "=parsehtmldocument"]);
});

test("words are stemmed, stop words and case do not count, accents are dropped", () => {
  assert.deepEqual([...termsOf("The connections of a Café's users")], ["connect", "cafe", "user"]);
  assert.deepEqual([...termsOf("connected connecting connection connects")], ["connect"]);
  assert.deepEqual([...termsOf("it is what it is")], []);
});

test("British and American spellings meet", () => {
  for (const [british, american] of [
    ["visualise", "visualize"],
    ["organisation", "organization"],
    ["analyse", "analyze"],
    ["colour", "color"],
    ["favourites", "favorites"],
    ["centre", "center"],
    ["neighbourhood", "neighborhood"],
  ])
    assert.deepEqual([...termsOf(british!)], [...termsOf(american!)], british);
});

test("text without spaces is found by characters and pairs, beside words of other scripts", () => {
  assert.deepEqual([...termsOf("查询12306余票")].sort(), ["12306", "余", "余票", "查", "查询", "票", "询"]);
  assert.deepEqual(queryTerms("余票查").words, ["余票", "票查"]);
  assert.deepEqual(queryTerms("票").words, ["票"]);
  assert.ok(termsOf("ราคาหุ้น").length > 5);
  assert.deepEqual([...termsOf("Отправить письмо")].length, 2);
});

test("neighbours in a query are wanted as one word and as one identifier too", () => {
  assert.deepEqual(queryTerms("time zone"), { words: ["time", "zone"], joined: [["timezon", "=timezone"]] });
  assert.deepEqual(queryTerms("sign in").joined, [["signin", "=signin"]]);
});

test("hostile text is read in bounded time", () => {
  for (const text of [
    "A".repeat(200_000),
    "aB".repeat(100_000),
    "_-".repeat(100_000),
    "字".repeat(100_000),
    "'s".repeat(100_000),
  ])
    assert.ok(effortMs(() => termsOf(text)) < 3000, text.slice(0, 2));
});

test("a plain name has neither case nor punctuation", () => {
  assert.equal(normalizedName("GitHub:Create_Issue"), "githubcreateissue");
  assert.equal(normalizedName("__::--"), "");
});
