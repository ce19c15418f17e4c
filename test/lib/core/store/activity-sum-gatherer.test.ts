import assert from "node:assert/strict";
import { test } from "node:test";
import { type AddedRecords, createActivitySumGatherer } from "#lib/core/store/activity-sum-gatherer.ts";

const SUMMED_TO = 10;

/** Records that end with the record `lastSeq`. */
const records = (count: number, lastSeq: number, removals: number): AddedRecords => ({
  heads: Array.from({ length: count }, () => new Array(20).fill(null)),
  lastSeq,
  removals,
});

test("records that were counted twice do not ask for sums that cannot be written yet", async () => {
  const reach = { through_seq: SUMMED_TO, swept_at: 0, days_to: 0, long_to: 0 };
  const gatherer = createActivitySumGatherer(
    (sql) => (sql.includes("from activity_summed") ? [reach] : []),
    async () => assert.fail("there is no full batch"),
  );
  gatherer.added(records(SUMMED_TO, SUMMED_TO, 0));
  gatherer.removed();
  gatherer.added(records(3995, SUMMED_TO + 3995, 1));
  assert.equal(gatherer.isWorthwhile(), true);

  const hasMore = await gatherer.addSlice();

  assert.equal(hasMore, false);
  assert.equal(gatherer.isWorthwhile(), false);
});
