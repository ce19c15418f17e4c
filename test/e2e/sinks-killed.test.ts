import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { startReceiver } from "#test/kit/receiver.ts";
import { until } from "#test/kit/upstream.ts";
import { type Daemon, type Json, serve, textOf } from "./daemon.ts";

const SECRET = `whsec_${Buffer.from("a key of twenty-four byte").toString("base64")}`;
const CONFIG = {
  outbound_allow: ["127.0.0.1"],
  mcpServers: [
    {
      name: "up",
      command: process.execPath,
      args: [resolve("test/programs/upstream-stdio.mjs"), "--name", "up"],
      quarantined: false,
      trust_mode: "auto",
    },
  ],
};
const CALLS = 30;
const BATCH = 5;

/** The ids of the recorded calls, from the oldest to the newest. */
async function recordedCalls(daemon: Daemon): Promise<string[]> {
  const { activities } = await daemon.rest("GET /activity?type=tool_call&server=up&limit=100");
  return activities.map(({ id }: Json) => id).reverse();
}

test("kill -9 during a delivery loses no record; a sink delivers each again that was not acknowledged", async (t) => {
  const receiver = await startReceiver(t);
  const acknowledged: string[] = [];
  let deliveriesLeft = 0;
  receiver.answer = ({ body }) => {
    // The proxy is killed while this one waits for its response.
    if (deliveriesLeft-- <= 0) return "hang";
    const { records } = JSON.parse(body) as { records: { id: string; type: string }[] };
    acknowledged.push(...records.filter(({ type }) => type === "tool_call").map(({ id }) => id));
    return { status: 200 };
  };
  const sink = { name: "hook", type: "webhook", url: receiver.url, secret: SECRET, batch_size: BATCH };
  let daemon = await serve(t, { config: { ...CONFIG, sinks: [sink] } });
  await daemon.listed("up");

  for (const round of [1, 2]) {
    const client = await daemon.client("/mcp/all");
    deliveriesLeft = 2;
    for (let i = 0; i < CALLS; i++)
      assert.equal(textOf(await client.callTool({ name: "up__echo", arguments: { i } })), `{"i":${i}}`);
    await until("all calls are recorded", async () => (await recordedCalls(daemon)).length === round * CALLS);
    await until("a delivery hangs", () => deliveriesLeft < 0);
    daemon.child.kill("SIGKILL");
    await daemon.ended;
    assert.ok(new Set(acknowledged).size < round * CALLS, "the kill comes before the last delivery");
    // A delivery that hangs after the restart would end only with the time limit of its request.
    deliveriesLeft = Number.POSITIVE_INFINITY;
    daemon = await serve(t, { dir: daemon.dir });
    await daemon.listed("up");
  }

  const recorded = await recordedCalls(daemon);
  await until("the receiver has all", () => new Set(acknowledged).size === recorded.length);
  assert.deepEqual([...new Set(acknowledged)], recorded, "in order");
  const { sinks } = await daemon.rest("GET /sinks");
  assert.equal(sinks[0].lost, 0);
});
