import assert from "node:assert/strict";
import { test } from "node:test";
import { prepareInspection } from "#lib/modules/detect/inspect.ts";
import { withApp } from "#test/kit/app.ts";

test("what detection needs is made in several turns of the event loop, and not at all where it is off", async () => {
  for (const [enabled, least] of [
    [true, 4],
    [false, 0],
  ] as const)
    await withApp({ connect: false, config: { sensitive_data_detection: { enabled } } }, async (app) => {
      let turns = 0;
      let ended = false;
      const count = () => {
        turns++;
        if (!ended) setImmediate(count);
      };
      setImmediate(count);

      await prepareInspection(app);
      ended = true;

      assert.ok(enabled ? turns >= least : turns === least, `${turns} turns`);
    });
});
