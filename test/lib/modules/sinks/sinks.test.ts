import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { deadLetters } from "#lib/modules/sinks/dead-letters.ts";
import { signWebhook } from "#lib/modules/sinks/sign-webhook.ts";
import { recordSinks } from "#lib/modules/sinks/state.ts";
import { type TestApp, type TestOptions, testApp } from "#test/kit/app.ts";
import { ask } from "#test/kit/http.ts";
import { type Receiver, startReceiver } from "#test/kit/receiver.ts";
import { activityRecord } from "#test/kit/store.ts";
import { until } from "#test/kit/until.ts";

const SECRET = `whsec_${Buffer.from("a key of twenty-four byte").toString("base64")}`;

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), "sinks-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const settings = (receiver: Receiver, sink: object = {}, more: object = {}) => ({
  outbound_allow: ["127.0.0.1"],
  sinks: [{ name: "hook", type: "webhook", url: receiver.url, secret: "${env:HOOK}", ...sink }],
  ...more,
});

async function opened(t: TestContext, config: object, options: TestOptions = {}): Promise<TestApp> {
  const app = await testApp({ env: { HOOK: SECRET }, ...options, config: { ...config } });
  t.after(() => app.close());
  return app;
}

/** The ids of the activity records of tests that a receiver accepted, in order. */
const idsOf = (requests: Receiver["requests"]) =>
  requests
    .flatMap(({ body }) => JSON.parse(body).records as { id: string; type: string }[])
    .filter(({ type }) => type === "tool_call")
    .map(({ id }) => id);

const add = (app: TestApp, ids: readonly string[], own: object = {}) =>
  Promise.all(ids.map((id) => app.store.activity.add(activityRecord({ id, ...own }))));
const state = async (app: TestApp) => (await app.part(recordSinks).list())[0]!;
const begun = (app: TestApp) => until("the sink begins", () => app.store.meta.get("sinks/hook") !== undefined);

test("a webhook receives the records that are added, in order, signed as its library verifies", async (t) => {
  const receiver = await startReceiver(t);
  const app = await opened(t, settings(receiver, { headers: { "X-Team": "${env:HOOK}" } }));
  await begun(app);

  await add(app, ["a", "b"], { server_name: "git", response: "secret of a call" });
  await until("both records", () => idsOf(receiver.requests).length === 2);
  await add(app, ["c"]);
  await until("the third", () => idsOf(receiver.requests).length === 3);

  assert.deepEqual(idsOf(receiver.requests), ["a", "b", "c"]);
  const [{ headers, body }] = receiver.requests as [Receiver["requests"][0]];
  assert.ok(new Webhook(SECRET).verify(body, headers as Record<string, string>));
  assert.throws(() => new Webhook(SECRET).verify(`${body} `, headers as Record<string, string>));
  assert.equal(headers["x-team"], SECRET);
  assert.doesNotMatch(body, /secret of a call/, "bodies are not included unless the sink asks for them");
  await until("the acknowledgement", async () => (await state(app)).waiting === 0);
  const { delivered, lost } = await state(app);
  assert.deepEqual([delivered >= 3, lost], [true, 0]);
});

test("a sink continues after a restart with the first record that was not acknowledged", async (t) => {
  const receiver = await startReceiver(t);
  const dir = folder(t);
  const config = settings(receiver);
  const first = await opened(t, config, { dir });
  await begun(first);
  await add(first, ["a"]);
  await until("the first", () => idsOf(receiver.requests).length === 1);
  receiver.answer = () => ({ status: 503 });
  await add(first, ["b", "c"]);
  await until("the failure", async () => (await state(first)).state === "failing");
  await first.close();

  receiver.answer = () => ({ status: 200 });
  receiver.requests.length = 0;
  const second = await opened(t, config, { dir });
  await add(second, ["d"]);
  await until("the rest", () => idsOf(receiver.requests).length >= 3);

  assert.deepEqual(idsOf(receiver.requests), ["b", "c", "d"]);
});

test("a receiver that does not answer delays no call and no shutdown, and its state is told", async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = () => "hang";
  const app = await opened(t, settings(receiver));
  await begun(app);
  await add(app, ["a"]);
  await until("the request", () => receiver.requests.length > 0);

  const from = performance.now();
  await add(app, ["b"]);
  assert.equal((await ask(app, "GET /api/v1/sinks")).status, 200);
  await app.close();
  assert.ok(performance.now() - from < 10_000, "nobody waits for the receiver");
});

test("records that the receiver rejects are set aside in a file; those around them are delivered", async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = ({ body }) => (body.includes('"id":"bad') ? { status: 422, body: "no" } : { status: 200 });
  const dir = folder(t);
  const app = await opened(t, settings(receiver), { dir });
  await begun(app);

  await add(app, ["a", "b", "bad1", "c", "bad2"]);
  await until("the rejected", async () => (await state(app)).rejected === 2);

  const accepted = receiver.requests.filter(({ body }) => !body.includes('"id":"bad'));
  assert.deepEqual(idsOf(accepted), ["a", "b", "c"]);
  const { rejected_file } = await state(app);
  const lines = readFileSync(rejected_file!, "utf8").trim().split("\n");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ reason, record }) => [reason, record.id]),
    [
      ["the receiver answered with status 422: no", "bad1"],
      ["the receiver answered with status 422: no", "bad2"],
    ],
  );
});

test("while rejected records cannot be set aside, they and those after them wait, and the reason is told", async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = ({ body }) => (body.includes('"id":"bad') ? { status: 422, body: "no" } : { status: 200 });
  const dir = folder(t);
  const app = await opened(t, settings(receiver), { dir });
  await begun(app);
  const path = join(app.boot.ownDir, "sinks", "hook.rejected.jsonl");
  mkdirSync(path, { recursive: true });

  await add(app, ["a", "bad1", "b"]);
  await until("the failure", async () => (await state(app)).state === "failing");
  assert.match((await state(app)).problem!, /hook\.rejected\.jsonl/);
  rmSync(path, { recursive: true });
  await until("the rest", async () => (await state(app)).waiting === 0);

  const { rejected, lost } = await state(app);
  assert.deepEqual([rejected, lost], [1, 0]);
  assert.ok(idsOf(receiver.requests).includes("b"));
  assert.equal(JSON.parse(readFileSync(path, "utf8")).record.id, "bad1");
});

test("rejected records that fit in no file any more are lost, counted and told; the others are delivered", async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = ({ body }) => (body.includes('"id":"bad') ? { status: 422, body: "no" } : { status: 200 });
  const app = await opened(t, settings(receiver), { dir: folder(t) });
  await begun(app);
  const path = join(app.boot.ownDir, "sinks", "hook.rejected.jsonl");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  truncateSync(path, 64 * 1024 * 1024);

  await add(app, ["a", "bad1", "b"]);
  await until("the loss", async () => (await state(app)).lost === 1);
  await until("the rest", async () => (await state(app)).waiting === 0);

  assert.equal((await state(app)).rejected, 0);
  assert.ok(idsOf(receiver.requests).includes("b"));
  const { body } = await ask(app, "GET /api/v1/doctor");
  const finding = body.data.findings.find(({ code }: { code: string }) => code === "sink_lost_records");
  assert.match(finding.detail, /rejected/);
});

test("a rejected record after one that was written only in part has a line of its own", async (t) => {
  const dir = folder(t);
  const rejects = deadLetters(dir, "hook");
  mkdirSync(dirname(rejects.path), { recursive: true });
  writeFileSync(rejects.path, '{"rejected_at":"20');

  const record = { kind: "activity", id: "a", at: 1, type: "t", status: "s", line: '{"id":"a"}' } as const;
  for (const _ of [1, 2]) await rejects.add(record, "no", 1);

  const lines = readFileSync(rejects.path, "utf8").trim().split("\n");
  assert.deepEqual(
    lines.slice(1).map((line) => JSON.parse(line).record.id),
    ["a", "a"],
  );
});

test("a webhook is not signed with an empty key", () => {
  for (const secret of ["", "whsec_", "whsec_!"])
    assert.throws(() => signWebhook(secret, { id: "a", at: 1, body: "{}" }), /key/);
});

test("records that the retention removes before they are delivered are counted, and doctor tells it", async (t) => {
  const receiver = await startReceiver(t);
  const dir = folder(t);
  const config = settings(receiver);
  const first = await opened(t, config, { dir });
  await begun(first);
  await add(first, ["a"]);
  await until("the first", () => idsOf(receiver.requests).length === 1);
  receiver.answer = () => ({ status: 500 });
  await add(first, ["b", "c", "d"]);
  await until("the failure", async () => (await state(first)).state === "failing");
  await first.store.activity.sweep(0, 1);
  await first.close();

  receiver.answer = () => ({ status: 200 });
  const second = await opened(t, config, { dir });
  await until("the last one", () => idsOf(receiver.requests).at(-1) === "d" && receiver.requests.length > 2);
  await until("the count", async () => (await state(second)).lost >= 2);

  const { body } = await ask(second, "GET /api/v1/doctor");
  const codes = body.data.findings.map(({ code }: { code: string }) => code);
  assert.ok(codes.includes("sink_lost_records"), codes.join());
});

test("a private address is refused unless outbound_allow names it, and so is http without TLS", async (t) => {
  const receiver = await startReceiver(t);
  const app = await opened(t, { ...settings(receiver), outbound_allow: [] });

  const { status, body } = await ask(app, "POST /api/v1/sinks/hook/test", { body: {} });

  assert.deepEqual([status, body.code], [502, "sink_unreachable"]);
  assert.match(body.error, /outbound_allow/);
  assert.deepEqual(receiver.requests, []);
});

test("a test record is delivered on request, and only by an administrator", async (t) => {
  const receiver = await startReceiver(t);
  const app = await opened(t, settings(receiver));
  await until("the sink runs", async () => (await state(app)).state === "delivering");

  const tested = await ask(app, "POST /api/v1/sinks/hook/test", { body: {} });
  const unknown = await ask(app, "POST /api/v1/sinks/none/test", { body: {} });
  const anonymous = await ask(app, "POST /api/v1/sinks/hook/test", { body: {}, as: "nobody" });

  assert.deepEqual([tested.status, unknown.status, anonymous.status], [200, 404, 401]);
  assert.ok(receiver.requests.some(({ body }) => JSON.parse(body).records[0].type === "sink_test"));
});

test("sinks follow the configuration; a disabled one continues where it stopped", async (t) => {
  const receiver = await startReceiver(t);
  const app = await opened(t, settings(receiver));
  await begun(app);
  const set = (enabled: boolean) =>
    app.config.update((draft) => {
      draft.sinks = draft.sinks.map((sink) => ({ ...sink, enabled }));
    }, "test");
  await set(false);
  await until("it ends", async () => (await state(app)).state === "disabled");
  await add(app, ["a"]);
  await set(true);

  await until("the record", () => idsOf(receiver.requests).length === 1);
});
