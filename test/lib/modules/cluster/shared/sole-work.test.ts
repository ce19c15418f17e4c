import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, type TestContext, test } from "node:test";
import { soleWork } from "#lib/core/extension/sole-work.ts";
import { metrics } from "#lib/modules/metrics/state.ts";
import { notifications } from "#lib/modules/notifications/state.ts";
import { recordSinks } from "#lib/modules/sinks/state.ts";
import type { TestApp, TestOptions } from "#test/kit/app.ts";
import { openClusterApps } from "#test/kit/cluster-apps.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { startReceiver } from "#test/kit/receiver.ts";
import { activityRecord } from "#test/kit/store.ts";
import { until } from "#test/kit/until.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);
const SECRET = `whsec_${Buffer.from("a key of twenty-four byte").toString("base64")}`;

async function replicas(t: TestContext, { count = 2, ...options }: TestOptions & { count?: number } = {}) {
  const url = server!.database();
  const cluster = { encryption_keys: [randomBytes(32).toString("base64")] };
  const open = async (n: number) => await openClusterApps(t, url, { connect: true, count: n, cluster, ...options });
  const psql = (sql: string) => server!.psql(sql, new URL(url).pathname.slice(1));
  return { apps: (await open(count)) as [TestApp, TestApp], open, psql };
}

/** Takes a lease from its holder, which notices it at its next renewal; the others can take it somewhat later. */
const cutOff = (psql: (sql: string) => string, name: string) =>
  psql(
    `update lease set holder = 'nobody', token = token + 1, expires_at = clock_timestamp() + interval '3 s' where name = 'work ${name}'`,
  );

test("one replica does the work; another one takes over when it stops or loses the lease", { skip }, async (t) => {
  const { apps, psql } = await replicas(t, { count: 3 });
  const end = new AbortController();
  const running = new Set<number>();
  let most = 0;
  const runs = apps.map((app, at) =>
    app.part(soleWork).run(
      "test",
      async (signal) => {
        running.add(at);
        most = Math.max(most, running.size);
        await new Promise<void>((done) => signal.addEventListener("abort", () => done(), { once: true }));
        running.delete(at);
      },
      end.signal,
    ),
  );

  for (let round = 0; round < 3; round++) {
    await until("one works", () => running.size === 1);
    const [holder] = running;
    cutOff(psql, "test");
    await until("it stops", () => !running.has(holder!));
  }
  end.abort();
  await Promise.all(runs);

  assert.equal(most, 1);
  assert.equal(running.size, 0);
});

const sinks = (url: string) => ({
  env: { HOOK: SECRET },
  config: {
    outbound_allow: ["127.0.0.1"],
    sinks: [{ name: "hook", type: "webhook", url, secret: "${env:HOOK}" }],
  },
});

test("records of all replicas are delivered by one of them, and none is lost when another takes over", {
  skip,
}, async (t) => {
  const receiver = await startReceiver(t);
  const { apps, psql } = await replicas(t, sinks(receiver.url));
  const ids = () =>
    receiver.requests
      .flatMap(({ body }) => JSON.parse(body).records as { id: string; type: string }[])
      .flatMap(({ id, type }) => (type === "tool_call" ? id : []));
  const states = async () => Promise.all(apps.map(async (app) => (await app.part(recordSinks).list())[0]!.state));
  const add = (app: TestApp, id: string) => app.store.activity.add(activityRecord({ id }));
  await until("one delivers", async () => (await states()).sort().join() === "delivering,standby");
  await until("it has begun", () => apps[0].store.meta.get("sinks/hook") !== undefined);

  const added: string[] = [];
  for (let round = 0; round < 4; round++) {
    for (let n = 0; n < 20; n++) {
      const id = `r${round}-${n}`;
      await add(apps[n % 2]!, id);
      added.push(id);
    }
    if (round < 3) cutOff(psql, "sink hook");
  }

  await until("all are delivered", () => added.every((id) => ids().includes(id)));
  assert.deepEqual([...new Set(ids())].sort(), [...added].sort());
  const [status] = await apps[0].part(recordSinks).list();
  assert.equal(status!.lost, 0);
});

test("only the replica that delivers a sink's records measures them", { skip }, async (t) => {
  const receiver = await startReceiver(t);
  const { config, env } = sinks(receiver.url);
  const { apps } = await replicas(t, { env, config: { ...config, metrics: { enabled: true } } });
  const state = async (app: TestApp) => (await app.part(recordSinks).list())[0]!.state;
  await until("one delivers", async () => (await Promise.all(apps.map(state))).sort().join() === "delivering,standby");
  await until("both measure", () => apps.every((app) => app.part(metrics).collector() !== undefined));

  for (const app of apps) {
    const isMeasured = /^mcp_proxy_sink_records_waiting\{sink="hook"\} /m.test(await app.part(metrics).text());
    assert.equal(isMeasured, (await state(app)) === "delivering");
  }
});

test("a notice about any replica is sent by one of them, also if nobody could send when it happened", {
  skip,
}, async (t) => {
  const receiver = await startReceiver(t);
  const { apps, psql } = await replicas(t, {
    env: { HOOK: SECRET },
    config: {
      outbound_allow: ["127.0.0.1"],
      notifications: { channels: [{ name: "ops", type: "webhook", url: receiver.url, secret: "${env:HOOK}" }] },
    },
  });
  const sent = () =>
    receiver.requests.flatMap(({ body }) =>
      (JSON.parse(body).notices as { title: string }[]).map(({ title }) => title),
    );
  const alert = (app: TestApp, server_name: string) =>
    app.events.publish("security.integrity_alert", { server_name, alert_type: "files_changed", action: "reported" });
  const isSent = (name: string) => sent().some((title) => title.includes(name));
  const states = () => apps.map((app) => app.part(notifications).list()[0]!.state);
  await until("one notifies", () => states().sort().join() === "ready,standby");

  alert(apps[0], "first");
  alert(apps[1], "second");
  await until("both are sent", () => isSent("first") && isSent("second"));
  cutOff(psql, "notifications");
  await until("the holder stops", () => states().every((state) => state === "standby"));
  alert(apps[0], "third");

  await until("it is sent by the next one", () => isSent("third"));
  const count = (name: string) => sent().filter((title) => title.includes(name)).length;
  assert.deepEqual([count("third")], [1]);
});
