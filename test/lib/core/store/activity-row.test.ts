import assert from "node:assert/strict";
import { test } from "node:test";
import { fromActivityRow } from "#lib/core/store/activity-row.ts";

test("a record with damaged JSON is read all the same, and says which members are damaged", () => {
  const row = { seq: 1, id: "r", at: 1, response_truncated: null, arguments: "{", metadata: "x", detection_types: "[" };

  const record = fromActivityRow(row);

  assert.deepEqual(record, {
    id: "r",
    at: 1,
    arguments: { damaged: true },
    metadata: { damaged: true },
    detection_types: [],
  });
});
