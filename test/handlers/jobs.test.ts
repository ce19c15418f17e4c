import assert from "node:assert/strict";
import { test } from "node:test";
import { createJobs, requestJobs } from "#lib/core/api/jobs.ts";
import { TEST_KEY, type TestApp, withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { ask } from "#test/kit/http.ts";
import { until } from "#test/kit/until.ts";

const ASYNC = { "x-api-key": TEST_KEY, prefer: "respond-async, wait=10" };
const job = async (app: TestApp, id: string) => (await ask(app, `GET /api/v1/jobs/${id}`)).body.data.job;

const UPSTREAM = {
  command: process.execPath,
  args: ["test/programs/upstream-stdio.mjs", "--name", "up", "--tools", "1"],
};

test("a long request is answered at once to whoever prefers that, and its result is the job's", () =>
  withApp({ servers: [{ name: "up", ...UPSTREAM }] }, async (app) => {
    await until("up to connect", () => app.upstreams.get("up")?.status().state === "Ready");

    const { status, headers, body } = await ask(app, "POST /api/v1/servers/restart_all", { as: ASYNC });

    assert.equal(status, 202);
    assert.equal(headers.get("preference-applied"), "respond-async");
    assert.equal(headers.get("location"), `/api/v1/jobs/${body.data.job.id}`);
    assert.equal(body.data.job.operation, "POST /api/v1/servers/restart_all");
    await until("the job to end", async () => (await job(app, body.data.job.id)).status !== "running");
    const done = await job(app, body.data.job.id);
    assert.equal(done.status, "succeeded");
    assert.deepEqual([done.result.total, done.result.successful], [1, 1]);
    assert.equal((await ask(app, "GET /api/v1/jobs")).body.data.jobs[0].id, done.id);
    assert.equal((await ask(app, "POST /api/v1/servers/restart_all")).status, 200);
  }));

test("a job that fails says why, and a request that cannot begin is refused at once", () =>
  withApp({ connect: false, servers: [{ name: "off", command: "x", enabled: false }] }, async (app) => {
    const { body } = await ask(app, "POST /api/v1/servers/off/restart", { as: ASYNC });
    const unknown = await ask(app, "POST /api/v1/servers/off/restart?x=1", { as: ASYNC });

    await until("the job to end", async () => (await job(app, body.data.job.id)).status === "failed");
    assert.deepEqual((await job(app, body.data.job.id)).error.code, "server_disabled");
    assert.equal(unknown.status, 400);
    assert.equal((await ask(app, "GET /api/v1/jobs/nope")).status, 404);
  }));

test("a cancelled job ends, and stays cancelled", () =>
  withApp({ connect: false }, async (app) => {
    const waiting = (signal: AbortSignal) =>
      new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
    const { id } = app.part(requestJobs).start("POST /x", "admin", waiting);

    const cancelled = await ask(app, `DELETE /api/v1/jobs/${id}`);
    const again = await ask(app, `DELETE /api/v1/jobs/${id}`);

    assert.deepEqual([cancelled.body.data.job.status, again.body.data.job.status], ["cancelled", "cancelled"]);
    assert.ok(cancelled.body.data.job.finished_at);
  }));

test("jobs are bounded in number and age, and end with the program", async () => {
  const clock = handClock();
  const log = { error: () => undefined } as never;
  const jobs = createJobs({ clock, log });
  const endless = (signal: AbortSignal) =>
    new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));

  const { id } = jobs.start("POST /done", "admin", async () => ({ a: 1 }));
  await until("it to end", () => jobs.get(id).status === "succeeded");
  for (let n = 0; n < 20; n++) jobs.start("POST /x", "admin", endless);

  assert.throws(() => jobs.start("POST /x", "admin", endless), { code: "too_many_jobs", status: 429 });
  await clock.advance(61 * 60_000);
  assert.throws(() => jobs.get(id), { code: "no_such_record" });
  assert.equal(jobs.list().length, 20);
  await jobs.close();
  assert.ok(jobs.list().every(({ status }) => status === "cancelled"));
});
