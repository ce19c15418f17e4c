import assert from "node:assert/strict";
import { test } from "node:test";
import { createKeyedQueue } from "#lib/core/catalog/keyed-queue.ts";

test("work of one key runs in the order it came, a failure included; other keys do not wait", async () => {
  const inTurn = createKeyedQueue();
  const done: string[] = [];
  let open = () => {};
  const gate = new Promise<void>((go) => {
    open = go;
  });

  const first = inTurn("a", async () => {
    await gate;
    done.push("a1");
    throw new Error("a1 failed");
  });
  const second = inTurn("a", async () => {
    done.push("a2");
    return 2;
  });
  await inTurn("b", async () => void done.push("b"));
  open();

  await assert.rejects(first, /a1 failed/);
  assert.equal(await second, 2);
  assert.deepEqual(done, ["b", "a1", "a2"]);
});
