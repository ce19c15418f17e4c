import assert from "node:assert/strict";
import { test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { notifications } from "#lib/modules/notifications/state.ts";
import { recordSinks } from "#lib/modules/sinks/state.ts";
import { listenForCli, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";
import { startReceiver } from "#test/kit/receiver.ts";
import { until } from "#test/kit/until.ts";

const SECRET = `whsec_${Buffer.from("a key of twenty-four byte").toString("base64")}`;

test("sinks and notification channels are listed and tested by command; a failure names the reason", async (t) => {
  const receiver = await startReceiver(t);
  const webhook = { type: "webhook", url: `${receiver.url}/secret-path`, secret: "${env:HOOK}" };
  const app = await testApp({
    env: { HOOK: SECRET },
    config: {
      outbound_allow: ["127.0.0.1"],
      sinks: [{ name: "siem", ...webhook }],
      notifications: { channels: [{ name: "ops", ...webhook }] },
    },
  });
  const { env } = await listenForCli(t, app);
  const proxy = (line: string) => cli(line.split(" "), commands, { env });
  await until("the sink runs", async () => (await app.part(recordSinks).list())[0]!.state === "delivering");
  await until("the channel runs", () => app.part(notifications).list()[0]!.state === "ready");

  assert.equal((await proxy("sinks test siem")).out, "the sink siem accepted a test record\n");
  assert.equal((await proxy("notifications test ops")).out, "a test message was sent through ops\n");
  assert.deepEqual(
    receiver.requests.map(({ body }) => JSON.parse(body)).map(({ records, notices }) => (records ?? notices)[0].type),
    ["sink_test", undefined],
  );
  assert.match((await proxy("sinks list")).out, /\nsiem +webhook +activity +delivering /);
  assert.match((await proxy("notifications list")).out, /\nops +webhook +ready /);

  receiver.answer = () => ({ status: 503, body: "away" });
  for (const line of ["sinks test siem", "notifications test ops"]) {
    const { code, out, err } = await proxy(line);
    assert.deepEqual([code === 0, out], [false, ""]);
    assert.match(err, /status 503: away/);
    assert.doesNotMatch(err, /secret-path/);
  }
  assert.match((await proxy("sinks test none")).err, /none/);
  assert.match((await proxy("sinks test sime")).err, /did you mean siem\?/);
  assert.match((await proxy("notifications test opps")).err, /did you mean ops\?/);
});
