import assert from "node:assert/strict";
import { test } from "node:test";
import type { Credentials } from "#lib/modules/oauth/credentials.ts";
import { createFlows, FLOW_MS } from "#lib/modules/oauth/flows.ts";
import { handClock } from "#test/kit/clock.ts";

test("a sign-in that nobody finishes ends in time, also if its end cannot be stored", async () => {
  const clock = handClock();
  const logged: string[] = [];
  const log = { catch: (_: string, work: Promise<unknown>) => void work.catch((error) => logged.push(error.message)) };
  const flows = createFlows({ clock, log, records: { putFlow: async () => {} } } as never, {} as never);
  let isWritable = true;
  const holder = {
    place: { server: "up", owner: "" },
    failed() {},
    async change(edit: (now: Credentials) => Credentials) {
      if (!isWritable) throw new Error("the disk is full");
      edit({});
    },
  };
  let isOver = false;
  const { over } = await flows.open(holder as never, { server: "up" } as never, { state: "s" } as never);
  void over.then(() => {
    isOver = true;
  });

  isWritable = false;
  await clock.advance(FLOW_MS);

  assert.deepEqual([isOver, logged], [true, ["the disk is full"]]);
});
