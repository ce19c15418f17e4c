import assert from "node:assert/strict";
import { test } from "node:test";
import { rememberedTasks } from "#lib/core/mcp/remembered-tasks.ts";
import { testApp } from "#test/kit/app.ts";

test("of a task only what the protocol defines is remembered, in bounded length", async (t) => {
  const app = await testApp();
  t.after(() => app.close());
  const tasks = app.part(rememberedTasks);
  const big = "x".repeat(1_000_000);

  tasks.put("one", { taskId: "t1", status: "working", statusMessage: big, ttl: null, extra: big, createdAt: { big } });

  assert.deepEqual(tasks.of("one"), [{ taskId: "t1", status: "working", statusMessage: "x".repeat(1000), ttl: null }]);
  assert.deepEqual(tasks.of("two"), []);
});
