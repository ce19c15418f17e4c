import assert from "node:assert/strict";
import { resolve } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { noEngine, type TestEngine, testEngine } from "#test/kit/engine.ts";
import { until } from "#test/kit/upstream.ts";
import { serve } from "./daemon.ts";

let engine: TestEngine;
before(async () => {
  if (!noEngine) engine = await testEngine();
});
after(async () => {
  await engine?.close();
});

const PROGRAMS = resolve("test/programs");
/** Containers come and go within seconds; how many depends on the machine. (ms) */
const STARTED_MS = 120_000;
const REMOVED_MS = 120_000;

/** A daemon with a server in a container that ends for nothing but a kill. */
async function contained(t: TestContext) {
  const docker_isolation = { enabled: true, default_images: { node: engine.image }, network_mode: "none" };
  const daemon = await serve(t, { config: { docker_isolation }, env: { DOCKER_HOST: engine.host } });
  await daemon.rest("POST /servers", {
    name: "stays",
    command: "node",
    args: ["/programs/hostile.mjs", "--stay"],
    isolation: { extra_args: ["-v", `${PROGRAMS}:/programs:ro`] },
  });
  const connected = async () => (await daemon.rest("GET /servers/stays")).connected === true;
  await until("it is connected", connected, STARTED_MS);
  assert.match(containers(), /proxy\.server:stays/);
  return daemon;
}

/** One line for each container: its id and labels. */
const containers = () => engine.podman("ps", "-a", "--format", "{{.ID}} {{.Labels}}").trim();

test("a killed proxy leaves no container behind, even of a server that does not end by itself", {
  skip: noEngine,
}, async (t) => {
  engine.podman("run", "-d", "--name", "other", "--label", "proxy.run=another", engine.image, "sleep", "600");
  const daemon = await contained(t);

  daemon.child.kill("SIGKILL");
  await daemon.ended;

  await until("it is removed", () => !containers().includes("stays"), REMOVED_MS);
  assert.match(containers(), /proxy\.run:another/, "those of another run are left alone");
  engine.podman("rm", "-f", "-t", "0", "other");
});

test("a proxy killed in the middle of making containers leaves none behind", { skip: noEngine }, async (t) => {
  const daemon = await contained(t);
  const before = containers();
  const restart = daemon.rest("POST /servers/stays/restart").catch(() => undefined);
  await until("a container comes or goes", () => containers() !== before, REMOVED_MS);
  daemon.child.kill("SIGKILL");
  await Promise.all([daemon.ended, restart]);

  await until("none is left", () => containers() === "", REMOVED_MS);
});

test("a proxy that is told to stop takes its containers with it", { skip: noEngine }, async (t) => {
  const daemon = await contained(t);

  daemon.child.kill("SIGTERM");
  const { code } = await daemon.ended;

  assert.equal(code, 0);
  await until("none is left", () => containers() === "", REMOVED_MS);
});
