import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { traffic } from "#lib/core/extension/traffic.ts";
import { metrics } from "#lib/modules/metrics/state.ts";
import { otlpChecks } from "#lib/modules/otlp/checks.ts";
import { otlp } from "#lib/modules/otlp/state.ts";
import { testApp } from "#test/kit/app.ts";
import { freePort } from "#test/kit/free-port.ts";
import { program, serve, textOf, toolCall } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";
import { scraped, sumOf } from "../metrics/scraped.ts";
import { startCollector } from "./collector.ts";

/** A short delay, because the default would make the tests wait for seconds. */
const env = { OTEL_BSP_SCHEDULE_DELAY: "50" };

function logOf({ dir }: { dir: string }): string {
  const path = join(dir, "logs", "proxy.log");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** What a broken collector does with a request, and the reason that doctor names. */
const BROKEN: readonly [title: string, answer: ((response: ServerResponse) => unknown) | "down", reason: RegExp][] = [
  ["down", "down", /ECONNREFUSED/],
  ["rejecting a credential", (response) => response.writeHead(401).end(), /status 401/],
  ["overloaded for a long time", (response) => response.writeHead(503, { "retry-after": "3600" }).end(), /status 503/],
  ["answering nonsense", (response) => response.writeHead(418).end("x".repeat(1000)), /status 418/],
];

for (const [title, answer, reason] of BROKEN)
  test(`calls are undisturbed by a collector that is ${title}; losses are counted and named by doctor`, async (t) => {
    const endpoint = answer === "down" ? `http://127.0.0.1:${await freePort()}` : (await startCollector(t, answer)).url;
    const config = { otlp: { endpoint, metrics: false }, metrics: { enabled: true } };
    const { app, post } = await serve(t, { servers: [program("up")], connect: true, config, env });
    await until("tracing", () => app.part(traffic).tracer !== undefined);

    for (let i = 0; i < 20; i++) {
      const { body } = await post(toolCall("call_tool_read", { name: "up:echo", args: { i } }));
      assert.equal(textOf(body.result), `{"i":${i}}`);
    }

    await until("the loss", () => app.part(otlp).status()[0]!.lost > 0);
    const [finding] = await otlpChecks[0]!.run(app, { tier: "admin" });
    assert.equal(finding?.code, "otlp_lost");
    assert.match(
      finding!.title,
      new RegExp(`^The collector at ${endpoint}/v1/traces does not accept traces; \\d+ spans`),
    );
    assert.match(finding!.detail!, reason);
    const samples = await scraped(await app.part(metrics).text());
    assert.ok(sumOf(samples, "mcp_proxy_otlp_lost_total", { signal: "traces" })! > 0);
    const reports = () => logOf(app).match(/does not accept traces/g)?.length ?? 0;
    await until("the log", () => reports() > 0);
    assert.equal(reports(), 1, "reported once");
  });

test("calls, and the end of the export, do not wait for a collector that hangs", async (t) => {
  const collector = await startCollector(t, () => {});
  const config = { otlp: { endpoint: collector.url, metrics_interval: "1s" } };
  const { app, post } = await serve(t, { servers: [program("up")], connect: true, config, env });
  await until("tracing", () => app.part(traffic).tracer !== undefined);
  for (let i = 0; i < 20; i++) await post(toolCall("call_tool_read", { name: "up:echo", args: {} }));
  await until("hanging requests", () => collector.bodies.traces.length > 0 && collector.bodies.metrics.length > 0);

  const { body } = await post(toolCall("call_tool_read", { name: "up:echo", args: { after: 1 } }));
  const startedAt = performance.now();
  await app.config.update((draft) => {
    draft.otlp = { ...draft.otlp, endpoint: "" };
  }, "test");
  await until("the end of the export", () => app.part(otlp).status().length === 0);

  assert.equal(textOf(body.result), '{"after":1}');
  const tookMs = performance.now() - startedAt;
  assert.ok(tookMs > 1500 && tookMs < 8000, `${tookMs} ms`);
});

test("a header that refers to a missing secret is a finding, and nothing is sent", async (t) => {
  const collector = await startCollector(t);
  const config = { otlp: { endpoint: collector.url, headers: { Authorization: "Bearer ${env:NOT_THERE}" } } };
  const { app } = await serve(t, { connect: true, config, env });

  await until("the problem", () => app.part(otlp).problem() !== undefined);

  const [finding] = await otlpChecks[0]!.run(app, { tier: "admin" });
  assert.equal(finding?.code, "otlp_unusable");
  assert.match(finding!.detail!, /NOT_THERE/);
  assert.deepEqual(app.part(otlp).status(), []);
});

test("the proxy ends within its limit although a collector hangs", async (t) => {
  const collector = await startCollector(t, () => {});
  const app = await testApp({ config: { otlp: { endpoint: collector.url } }, env });
  await until("tracing", () => app.part(traffic).tracer !== undefined);
  app.part(traffic).tracer!.beginHttp({ route: "GET /", requestId: "r", from: {} }).end(undefined);
  await until("a hanging request", () => collector.bodies.traces.length > 0);

  const startedAt = performance.now();
  await app.close();

  const tookMs = performance.now() - startedAt;
  assert.ok(tookMs > 1500 && tookMs < 8000, `${tookMs} ms`);
});
