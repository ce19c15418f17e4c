import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { metrics } from "#lib/modules/metrics/state.ts";
import { type TestApp, testApp } from "#test/kit/app.ts";
import { startReceiver } from "#test/kit/receiver.ts";
import { activityRecord } from "#test/kit/store.ts";
import { until } from "#test/kit/until.ts";
import { scraped, sumOf } from "./scraped.ts";

const SECRET = `whsec_${Buffer.from("a key of twenty-four byte").toString("base64")}`;

/** A measuring proxy whose sink `hook` and channel `ops` deliver to a receiver. */
async function delivering(t: TestContext, url: string): Promise<TestApp> {
  const webhook = { type: "webhook", url, secret: "${env:HOOK}" };
  const app = await testApp({
    env: { HOOK: SECRET },
    config: {
      metrics: { enabled: true },
      outbound_allow: ["127.0.0.1"],
      sinks: [{ name: "hook", ...webhook }],
      notifications: { panel_url: "https://panel.example", channels: [{ name: "ops", ...webhook }] },
    },
  });
  t.after(() => app.close());
  await until("the sink begins", () => app.store.meta.get("sinks/hook") !== undefined);
  await until("measuring", () => app.part(metrics).collector() !== undefined);
  return app;
}

const value = async (app: TestApp, name: string, labels: Record<string, string> = {}) =>
  sumOf(await scraped(await app.part(metrics).text()), `mcp_proxy_${name}`, labels);
const becomes = (app: TestApp, wanted: number, name: string, labels: Record<string, string>) =>
  until(`${name} ${JSON.stringify(labels)} is ${wanted}`, async () => (await value(app, name, labels)) === wanted);
const add = (app: TestApp, id: string) => app.store.activity.add(activityRecord({ id }));

test("what sinks delivered, what waits, and whether they fail can be scraped", async (t) => {
  const receiver = await startReceiver(t);
  const app = await delivering(t, receiver.url);
  const sink = { sink: "hook" };

  await add(app, "a");
  await becomes(app, 0, "sink_records_waiting", sink);
  const delivered = (await value(app, "sink_records_total", { ...sink, outcome: "delivered" }))!;
  assert.ok(delivered >= 1, `${delivered} delivered`);
  assert.equal(await value(app, "sink_up", sink), 1);

  receiver.answer = () => ({ status: 503 });
  await add(app, "b");
  await becomes(app, 0, "sink_up", sink);
  assert.ok((await value(app, "sink_records_waiting", sink))! >= 1);
  assert.equal(await value(app, "sink_records_total", { ...sink, outcome: "lost" }), 0);

  await app.config.update((draft) => {
    draft.sinks = [];
  }, "test");
  await until("a removed sink has no series", async () => (await value(app, "sink_up")) === undefined);
});

test("what notification channels sent and whether they fail can be scraped", async (t) => {
  const receiver = await startReceiver(t);
  const app = await delivering(t, receiver.url);
  const alert = (server_name: string) =>
    app.events.publish("security.integrity_alert", { server_name, alert_type: "files_changed", action: "reported" });
  await until("the channel runs", async () => (await value(app, "notification_channel_up")) === 1);

  alert("git");
  await becomes(app, 1, "notifications_total", { channel: "ops", outcome: "sent" });
  receiver.answer = () => ({ status: 503 });
  alert("web");
  await becomes(app, 0, "notification_channel_up", { channel: "ops" });
});

test("metrics of a module that cannot be read do not hide the others", async (t) => {
  const app = await delivering(t, (await startReceiver(t)).url);
  const stop = app.part(metrics).addSource(() => Promise.reject(new Error("away")));
  t.after(stop);

  assert.equal(await value(app, "info"), 1);
});
