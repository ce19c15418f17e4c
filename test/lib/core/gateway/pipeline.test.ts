import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "#lib/core/app.ts";
import { auditTrail } from "#lib/core/extension/audit-trail.ts";
import { callInspector } from "#lib/core/extension/call-inspector.ts";
import { callPipeline } from "#lib/core/gateway/pipeline.ts";

const BARE = ["resolveCall", "judgeCall", "permitCall", "acquireConnection", "sendCall", "recordCall"];
const FULL = [
  "resolveCall",
  "judgeCall",
  "permitCall",
  "inspectCall",
  "auditAllowed",
  "acquireConnection",
  "sendCall",
  "treatReply",
  "recordCall",
];

function stageNames({ isKept, inspector }: { isKept: boolean; inspector: object | undefined }): string[] {
  const parts = new Map<unknown, unknown>([
    [auditTrail, { isKept }],
    [callInspector, inspector],
  ]);
  // Only this member is used.
  const app = { part: (key: unknown) => parts.get(key) } as unknown as App;
  return callPipeline.open(app).map(({ name }) => name);
}

test("a call passes through its stages in one order, and those for inspection and audit exist only where they are used", () => {
  assert.deepEqual(stageNames({ isKept: false, inspector: undefined }), BARE);
  assert.deepEqual(stageNames({ isKept: true, inspector: {} }), FULL);
});
