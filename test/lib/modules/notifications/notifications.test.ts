import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { sendWebhook } from "#lib/modules/notifications/send-webhook.ts";
import { notifications } from "#lib/modules/notifications/state.ts";
import { type TestApp, type TestOptions, testApp } from "#test/kit/app.ts";
import { ask } from "#test/kit/http.ts";
import { type Receiver, startReceiver } from "#test/kit/receiver.ts";
import { until } from "#test/kit/until.ts";

const SECRET = `whsec_${Buffer.from("a key of twenty-four byte").toString("base64")}`;

async function opened(
  t: TestContext,
  receiver: Receiver,
  { channel = {}, settings = {}, ...options }: { channel?: object; settings?: object } & TestOptions = {},
): Promise<TestApp> {
  const app = await testApp({
    env: { HOOK: SECRET },
    ...options,
    config: {
      outbound_allow: ["127.0.0.1"],
      notifications: {
        panel_url: "https://panel.example",
        channels: [{ name: "ops", type: "webhook", url: receiver.url, secret: "${env:HOOK}", ...channel }],
        ...settings,
      },
      ...options.config,
    },
  });
  t.after(() => app.close());
  return app;
}

interface SentNotice {
  readonly kind: string;
  readonly title: string;
  readonly url: string;
  readonly count: number;
}
const noticesOf = ({ requests }: Receiver): SentNotice[] => requests.flatMap(({ body }) => JSON.parse(body).notices);
const titles = (receiver: Receiver) => noticesOf(receiver).map(({ title }) => title);
const state = (app: TestApp) => app.part(notifications).list()[0]!;
const integrityAlert = (app: TestApp, server_name: string) =>
  app.events.publish("security.integrity_alert", { server_name, alert_type: "files_changed", action: "reported" });
const rejectedCall = (app: TestApp) =>
  app.events.publish("activity.tool_call.rejected", {
    server_name: "git",
    tool_name: "log",
    request_id: "r",
    source: "mcp",
    reason: "queue_full",
    scope: "server",
    limit: 1,
    retry_after_ms: 1,
    message: "too many calls",
    duration_ms: 0,
    id: "x",
  });
const sentAll = (app: TestApp) => until("nothing waits", () => state(app).waiting === 0);
const running = (app: TestApp) => until("the channel runs", () => state(app).state !== "disabled");

test("a waiting approval is notified once, with a link to the page, signed; a restart repeats nothing", async (t) => {
  const receiver = await startReceiver(t);
  const dir = mkdtempSync(join(tmpdir(), "notifications-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const scene = { dir, servers: [{ name: "git", command: "true", quarantined: true }] };
  const first = await opened(t, receiver, scene);
  await until("the notice", () => titles(receiver).length > 0);

  const [{ kind, title, url }] = noticesOf(receiver) as [SentNotice];
  assert.deepEqual(
    [kind, title, url],
    ["approval", "Server git waits for a review", "https://panel.example/ui/approvals?server=git"],
  );
  const [{ headers, body }] = receiver.requests as [Receiver["requests"][0]];
  assert.ok(new Webhook(SECRET).verify(body, headers as Record<string, string>));

  await sentAll(first);
  await first.close();
  await opened(t, receiver, { ...scene, servers: [...scene.servers, { ...scene.servers[0]!, name: "mail" }] });
  await until("what is new", () => titles(receiver).includes("Server mail waits for a review"));
  assert.equal(titles(receiver).filter((one) => one === title).length, 1);
});

test("a server that fails for long enough is notified, and so is its recovery", async (t) => {
  const receiver = await startReceiver(t);
  const app = await opened(t, receiver, {
    settings: { failing_after: "10s" },
    servers: [{ name: "git", command: "/nonexistent/program" }],
    channel: { kinds: ["server"] },
  });
  await until(
    "the failure",
    () => titles(receiver).some((one) => one.startsWith("Server git fails")),
    async () => {
      app.events.publish("servers.changed", { reason: "resumed" });
    },
  );
  assert.equal(noticesOf(receiver)[0]!.url, "https://panel.example/ui/servers/git");

  Object.assign(app.upstreams, {
    get: () => ({
      status: () => ({ state: "Ready", since: 0, attempts: 0, reconnects: 0, listing: { listed: true } }),
    }),
  });
  app.events.publish("servers.changed", { reason: "resumed" });
  await until("the recovery", () => titles(receiver).includes("Server git works again"));
});

test("what happens again and again is notified once, and counted", async (t) => {
  const receiver = await startReceiver(t);
  const app = await opened(t, receiver);
  await running(app);
  for (let i = 0; i < 50; i++) rejectedCall(app);
  await until("the notice", () => titles(receiver).length > 0);
  for (let i = 0; i < 50; i++) rejectedCall(app);
  integrityAlert(app, "git");
  await until("the alert", () => titles(receiver).length > 1);

  assert.deepEqual(titles(receiver), [
    "A limit of git was reached, and a call was rejected",
    "What server git runs differs from what was approved",
  ]);
});

test("a channel gets only its kinds and severities", async (t) => {
  const receiver = await startReceiver(t);
  const app = await opened(t, receiver, { channel: { kinds: ["limit", "security"], min_severity: "critical" } });
  await running(app);
  rejectedCall(app);
  integrityAlert(app, "git");
  await until("the alert", () => titles(receiver).length > 0);
  await sentAll(app);

  assert.match(titles(receiver).join(), /^What server git runs/);
});

test("in quiet hours only critical notices are sent; the others wait, also over a restart", async (t) => {
  const receiver = await startReceiver(t);
  const dir = mkdtempSync(join(tmpdir(), "notifications-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const hour = (offset: number) => `${String((new Date().getUTCHours() + offset + 24) % 24).padStart(2, "0")}:00`;
  const quiet_hours = `${hour(-2)}-${hour(3)}`;
  const first = await opened(t, receiver, { dir, channel: { quiet_hours, time_zone: "UTC" } });
  await running(first);
  assert.equal(state(first).state, "quiet");
  rejectedCall(first);
  integrityAlert(first, "git");
  await until("the alert", () => titles(receiver).length > 0);
  await until("one waits", () => state(first).waiting === 1);
  assert.equal(titles(receiver).length, 1);
  await first.close();

  const second = await opened(t, receiver, { dir });
  await until("the other one", () => titles(receiver).length === 2);
  assert.match(titles(receiver)[1]!, /limit/);
  await sentAll(second);
});

test("within a digest's interval notices wait, and are then sent together", async (t) => {
  const receiver = await startReceiver(t);
  const app = await opened(t, receiver, { channel: { digest: "1h" } });
  await running(app);
  integrityAlert(app, "a");
  await until("the first", () => titles(receiver).length === 1);
  for (const name of ["b", "c"]) integrityAlert(app, name);
  await until("both wait", () => state(app).waiting === 2);
  await app.config.update((draft) => {
    draft.notifications.channels = draft.notifications.channels.map((one) => ({ ...one, digest: "0" }));
  }, "test");

  await until("the others", () => titles(receiver).length === 3);
  assert.equal(receiver.requests.length, 2, "both are in one message");
});

test("a webhook that hangs or fails disturbs nobody; notices wait, doctor tells it, and they are sent later", async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = () => ({ status: 500 });
  const app = await opened(t, receiver);
  await running(app);
  integrityAlert(app, "git");
  await until("the failure", () => state(app).state === "failing");

  const { body } = await ask(app, "GET /api/v1/doctor");
  assert.ok(body.data.findings.some(({ code }: { code: string }) => code === "notification_failing"));
  assert.equal(state(app).waiting, 1);
  receiver.answer = () => "hang";
  const from = performance.now();
  await app.close();
  assert.ok(performance.now() - from < 10_000);
});

test("another attempt to send the same notices has the same webhook-id, other notices have another one", async (t) => {
  const receiver = await startReceiver(t);
  const app = await opened(t, receiver);
  const [channel] = app.config.current().notifications.channels;
  const about = (title: string) => {
    const item = { kind: "server", severity: "info" as const, title, text: "", url: "", at: 1, count: 1 };
    return { title, severity: "info" as const, items: [item] };
  };

  for (const title of ["a", "a", "b"]) await sendWebhook(app, channel!, about(title), AbortSignal.timeout(30_000));

  const sent = receiver.requests.filter(({ body }) => /^\{"title":"[ab]"/.test(body));
  const ids = sent.map(({ headers }) => headers["webhook-id"]);
  assert.equal(ids[0], ids[1]);
  assert.notEqual(ids[0], ids[2]);
  for (const { body, headers } of sent) new Webhook(SECRET).verify(body, headers as Record<string, string>);
});

test("too many waiting notices are dropped, and counted", async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = () => ({ status: 500 });
  const app = await opened(t, receiver);
  await running(app);
  for (let i = 0; i < 205; i++) integrityAlert(app, `server ${i}`);

  assert.deepEqual([state(app).waiting, state(app).lost], [200, 5]);
});

test("an expiring agent token is notified before it expires", async (t) => {
  const receiver = await startReceiver(t);
  const app = await opened(t, receiver, { channel: { kinds: ["expiry"] } });
  for (const [name, expires_in] of [
    ["soon", "72h"],
    ["late", "720h"],
  ])
    assert.equal((await ask(app, "POST /api/v1/tokens", { body: { name, expires_in } })).status, 201);
  app.events.publish("servers.changed", { reason: "resumed" });
  await until("the notice", () => titles(receiver).length > 0);

  assert.deepEqual(titles(receiver), ["The agent token soon expires soon"]);
});

test("a test message is sent on request, and only for administrators; private addresses are refused", async (t) => {
  const receiver = await startReceiver(t);
  const app = await opened(t, receiver);
  await running(app);

  const tested = await ask(app, "POST /api/v1/notifications/ops/test", { body: {} });
  const unknown = await ask(app, "POST /api/v1/notifications/none/test", { body: {} });
  const anonymous = await ask(app, "POST /api/v1/notifications/ops/test", { body: {}, as: "nobody" });
  assert.deepEqual([tested.status, unknown.status, anonymous.status], [200, 404, 401]);
  assert.deepEqual(titles(receiver), ["This is a test"]);

  await app.config.update((draft) => {
    draft.outbound_allow = [];
  }, "test");
  const refused = await ask(app, "POST /api/v1/notifications/ops/test", { body: {} });
  assert.deepEqual([refused.status, refused.body.code], [502, "notification_failed"]);
  assert.equal(receiver.requests.length, 1);
});

test("Slack and Teams get messages of their form", async (t) => {
  const receiver = await startReceiver(t);
  for (const [type, expected] of [
    ["slack", /^\{"text":"proxy: This is a test","blocks":\[/],
    ["teams", /^\{"type":"message","attachments":\[\{"contentType":"application\/vnd\.microsoft\.card\.adaptive"/],
  ] as const) {
    const app = await opened(t, receiver, { channel: { type } });
    await running(app);
    assert.equal((await ask(app, "POST /api/v1/notifications/ops/test", { body: {} })).status, 200);
    assert.match(receiver.requests.at(-1)!.body, expected);
    await app.close();
  }
});
