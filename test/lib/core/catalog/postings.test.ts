import assert from "node:assert/strict";
import { test } from "node:test";
import { createPostings, POSTING_PAGE_SIZE, type Posting } from "#lib/core/catalog/postings.ts";

const listed = ({ pages }: Posting) =>
  new Map(pages.flatMap(({ slots, weights }) => slots.map((slot, i) => [slot, weights[i]] as const)));

test("a term of many tools is listed in pages, none of which grows beyond its size", () => {
  const postings = createPostings();
  const count = 3 * POSTING_PAGE_SIZE + 7;

  for (let slot = 0; slot < count; slot++) postings.add("page", slot, slot / 2);

  const posting = postings.get("page")!;
  assert.deepEqual(
    posting.pages.map(({ slots, weights }) => [slots.length, weights.length]),
    [POSTING_PAGE_SIZE, POSTING_PAGE_SIZE, POSTING_PAGE_SIZE, 7].map((size) => [size, size]),
  );
  assert.equal(posting.size, count);
  assert.equal(listed(posting).get(POSTING_PAGE_SIZE), POSTING_PAGE_SIZE / 2);
});

test("a tool that goes leaves a term's pages full, whichever page it was on", () => {
  const postings = createPostings();
  const left = new Map<number, number>();
  for (let slot = 0; slot < 2 * POSTING_PAGE_SIZE + 2; slot++) {
    postings.add("page", slot, slot / 2);
    left.set(slot, slot / 2);
  }
  const posting = postings.get("page")!;

  for (const slot of [0, POSTING_PAGE_SIZE + 1, 2 * POSTING_PAGE_SIZE + 1, POSTING_PAGE_SIZE - 1]) {
    postings.take(posting, slot);
    left.delete(slot);
  }

  assert.deepEqual(
    [...listed(posting)].sort((a, b) => a[0] - b[0]),
    [...left],
  );
  assert.equal(posting.size, left.size);
  assert.deepEqual(
    posting.pages.map(({ slots }) => slots.length),
    [POSTING_PAGE_SIZE, POSTING_PAGE_SIZE - 2],
  );
});

test("a term that no tool has any more is gone, and begins anew", () => {
  const postings = createPostings();
  const first = postings.add("page", 1, 1);

  postings.take(first, 1);

  assert.equal(postings.get("page"), undefined);
  assert.deepEqual(
    postings.guess("pag", () => true),
    [],
  );
  assert.equal(postings.add("page", 2, 1).size, 1);
});
