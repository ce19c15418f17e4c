import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "#lib/core/base/fault.ts";
import { faultResult } from "#lib/core/mcp/result.ts";

test("a refusal that ends by itself says in its structured data how long to wait", () => {
  const full = new Fault("queue_full", { scope: "global", limit: 2, retryAfterMs: 1500 });

  const { _meta } = JSON.parse(faultResult(full));

  assert.deepEqual(_meta, { "proxy/code": "queue_full", "proxy/retry_after_ms": 1500 });
  assert.deepEqual(JSON.parse(faultResult(new Fault("cancelled")))._meta, { "proxy/code": "cancelled" });
});
