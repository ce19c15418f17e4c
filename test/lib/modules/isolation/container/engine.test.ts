import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createEngine } from "#lib/modules/isolation/container/engine.ts";
import { handClock } from "#test/kit/clock.ts";
import { until } from "#test/kit/until.ts";
import { verifies } from "#test/kit/verifies.ts";

const skip = process.platform === "win32" && "needs local sockets";
const docker: RequestListener = (req, res) =>
  res.writeHead(req.url === "/version" ? 200 : 404).end('{"Version":"27.3.1"}');

async function daemon(t: TestContext, answer: RequestListener): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  const path = join(dir, "d.sock");
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(path, done));
  t.after(() => {
    server.closeAllConnections();
    server.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return path;
}

verifies(["rest.container.available"], "an engine counts as there when it really answers", async (t) => {
  if (skip) return t.skip(skip);
  const path = await daemon(t, docker);
  const { askedAt, ...found } = await createEngine({
    clock: handClock(),
    env: { DOCKER_HOST: `unix://${path}` },
  }).state();
  assert.deepEqual(found, { available: true, at: path, version: "Docker 27.3.1", answeredAt: askedAt });

  const podman = await daemon(t, (_, res) =>
    res.end(JSON.stringify({ Version: "5.1.0", Components: [{ Name: "Podman Engine" }] })),
  );
  const other = await createEngine({ clock: handClock(), env: { CONTAINER_HOST: `unix://${podman}` } }).state();
  assert.equal(other.version, "Podman 5.1.0");

  for (const [what, answer, reason] of [
    ["another program", (_, res) => res.end("hello"), /response has no version/],
    ["one that refuses", (_, res) => res.writeHead(500).end("{}"), /status 500/],
    ["one that talks too much", (_, res) => res.end(`"${"x".repeat(400_000)}"`), /response is too large/],
  ] as [string, RequestListener, RegExp][]) {
    const at = await daemon(t, answer);
    const state = await createEngine({ clock: handClock(), env: { DOCKER_HOST: `unix://${at}` } }).state();
    assert.equal(state.available, false, what);
    assert.match(state.error ?? "", reason);
  }
});

test("a daemon that never answers is not waited for", { skip }, async (t) => {
  const path = await daemon(t, () => {});
  const engine = createEngine({ clock: handClock(), env: { DOCKER_HOST: `unix://${path}` }, timeoutMs: 50 });
  const { available, error } = await engine.state();
  assert.equal(available, false);
  assert.match(error ?? "", /did not respond within 50 ms/);
});

test("an answer counts for five seconds; a socket in the user's own folder is found, an address over TCP too", {
  skip,
}, async (t) => {
  let asked = 0;
  const path = await daemon(t, (req, res) => {
    asked++;
    docker(req, res);
  });
  const clock = handClock();
  const engine = createEngine({ clock, env: { DOCKER_HOST: `unix://${path}` } });
  await Promise.all([engine.state(), engine.state()]);
  await clock.advance(4999);
  await engine.state();
  assert.equal(asked, 1);
  await clock.advance(1);
  await engine.state();
  assert.equal(asked, 2);

  const tcp = createServer(docker);
  await new Promise<void>((done) => tcp.listen(0, "127.0.0.1", done));
  t.after(() => tcp.close());
  const address = `tcp://127.0.0.1:${(tcp.address() as AddressInfo).port}`;
  assert.equal((await createEngine({ clock, env: { DOCKER_HOST: address } }).state()).available, true);
  assert.match((await createEngine({ clock, env: { DOCKER_HOST: "ssh://host" } }).state()).error ?? "", /DOCKER_HOST/);
});

test("an engine that is back is no longer waited for, whoever found it so", { skip }, async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const path = join(dir, "d.sock");
  const clock = handClock();
  const engine = createEngine({ clock, env: { DOCKER_HOST: `unix://${path}` } });
  let up = 0;
  t.after(
    engine.follow(
      () => true,
      () => up++,
    ),
  );
  await clock.advance(0);
  await until("it is waited for", () => engine.recovery().active);

  const server = createServer(docker);
  await new Promise<void>((done) => server.listen(path, done));
  t.after(() => server.close());
  assert.ok(await engine.api());
  assert.deepEqual(engine.recovery(), { active: false, failures: 0, attempts: 0 });
  await until("whoever needs it is told", async () => {
    await clock.advance(60_000);
    return up === 1;
  });
});
