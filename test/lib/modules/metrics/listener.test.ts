import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { metricsChecks } from "#lib/modules/metrics/checks.ts";
import { metrics } from "#lib/modules/metrics/state.ts";
import { freePort } from "#test/kit/free-port.ts";
import { program, serve, toolCall } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";

const TOKEN = "scrape-0123456789";

async function listening(t: TestContext, settings: object, options: Parameters<typeof serve>[1] = {}) {
  const config = { metrics: { enabled: true, listen: "127.0.0.1:0", ...settings } };
  const served = await serve(t, { connect: true, ...options, config });
  const { app } = served;
  app.events.publish("activity.system.start", { version: "0", listen_address: "", startup_duration_ms: 0 });
  const opened = app.part(metrics);
  await until("the listener", () => opened.listenAddr() !== undefined || opened.problem() !== undefined);
  return { ...served, opened, address: opened.listenAddr() };
}

test("the listener for metrics serves them with its own token, and nothing else", async (t) => {
  const { address, key, url } = await listening(t, { token: "${env:SCRAPE}" }, { env: { SCRAPE: TOKEN } });
  const ask = async (path: string, headers: Record<string, string> = {}, init = {}) => {
    const response = await fetch(`http://${address}${path}`, { headers, ...init });
    const text = await response.text();
    return [response.status, /^# HELP mcp_server_operation_duration_seconds /m.test(text)];
  };
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  assert.deepEqual(await ask("/metrics", bearer(TOKEN)), [200, true]);
  assert.deepEqual(await ask("/metrics?x=1", bearer(TOKEN)), [200, true]);
  for (const wrong of [{}, bearer(`${TOKEN}x`), bearer(key), { "x-api-key": key }])
    assert.deepEqual(await ask("/metrics", wrong as Record<string, string>), [401, false]);
  for (const path of ["/", "/api/v1/servers", "/mcp", "/healthz"])
    assert.deepEqual(await ask(path, bearer(TOKEN)), [404, false]);
  assert.deepEqual(await ask("/metrics", bearer(TOKEN), { method: "POST", body: "x" }), [405, false]);
  // The token is valid nowhere else.
  for (const path of ["/metrics", "/api/v1/servers"])
    assert.equal((await fetch(url + path, { headers: bearer(TOKEN) })).status, 401, path);
  assert.equal((await fetch(`${url}/metrics`, { headers: bearer(key) })).status, 200);
});

test("without a token, a web page that claims the address of this machine gets no metrics", async (t) => {
  const { address } = await listening(t, {});
  const status = (headers: Record<string, string>) =>
    new Promise((done, fail) => {
      get(`http://${address}/metrics`, { headers }, (response) => {
        response.resume();
        done(response.statusCode);
      }).on("error", fail);
    });

  assert.equal(await status({}), 200);
  assert.equal(await status({ host: "evil.example" }), 403);
  assert.equal(await status({ origin: "https://evil.example" }), 403);
});

test("the listener follows the configuration, and doctor reports one that cannot be opened", async (t) => {
  const { app, opened, url, address } = await listening(t, {});
  const set = (settings: object) =>
    app.config.update((draft) => {
      draft.metrics = { ...draft.metrics, ...settings };
    }, "test");
  const caller = { tier: "admin" } as const;
  const [check] = metricsChecks;
  const codes = async () => (await check!.run(app, caller)).map(({ code }) => code);
  assert.deepEqual(await codes(), []);

  await set({ listen: new URL(url).host });
  await until("the problem", () => opened.problem() !== undefined);
  assert.match(opened.problem()!, /EADDRINUSE/);
  assert.deepEqual(await codes(), ["metrics_listener"]);
  await assert.rejects(fetch(`http://${address}/metrics`), "the former listener is closed");

  await set({ listen: `:${await freePort()}` });
  await until("the new listener", () => opened.listenAddr() !== undefined);
  assert.deepEqual(await codes(), ["open_metrics"]);
  await set({ enabled: false });
  await until("its end", () => opened.listenAddr() === undefined);
  assert.deepEqual(await codes(), []);
});

const noPrometheus = spawnSync("prometheus", ["--version"]).error
  ? "prometheus is not installed (Debian package prometheus)"
  : false;

interface QueryAnswer {
  readonly status: string;
  readonly error?: string;
  readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
}

/** Starts a Prometheus that scrapes an address. @returns what it answers to a query: the values, in its order */
async function prometheus(t: TestContext, address: string): Promise<(expression: string) => Promise<string[]>> {
  const dir = mkdtempSync(join(tmpdir(), "prometheus-"));
  const port = await freePort();
  const scrape = { job_name: "proxy", authorization: { credentials: TOKEN }, static_configs: [{ targets: [address] }] };
  writeFileSync(join(dir, "p.yml"), JSON.stringify({ global: { scrape_interval: "1s" }, scrape_configs: [scrape] }));
  const flags = [`--config.file=${dir}/p.yml`, `--storage.tsdb.path=${dir}/data`];
  const child = spawn("prometheus", [...flags, `--web.listen-address=127.0.0.1:${port}`], { stdio: "ignore" });
  t.after(() => {
    child.kill("SIGKILL");
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  });
  const query = async (expression: string) => {
    const at = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expression)}`;
    const { status, error, data } = (await (await fetch(at)).json()) as QueryAnswer;
    assert.equal(status, "success", `${expression}: ${error}`);
    return data.result.map(({ value }) => value[1]);
  };
  // Before it is ready, it answers with a text or not at all.
  await until("the first scrape", async () => (await query('up{job="proxy"}').catch(() => []))[0] === "1");
  return query;
}

/** The panels of the dashboard whose values need an event that does not happen in the test. */
const NEEDS_EVENT = [
  "Renewals of tokens",
  "Scripts",
  "Duration of scripts",
  "Calls with sensitive data",
  "Notifications",
  "OpenTelemetry",
];

test("Prometheus scrapes the listener with the token, and each panel of the dashboard has values", {
  skip: noPrometheus,
}, async (t) => {
  const { address, app, post } = await listening(t, { token: TOKEN }, { servers: [program("up")] });
  await app.config.update((draft) => {
    draft.sinks = [{ name: "archive", type: "file" }] as never;
  }, "test");
  const call = (name: string, args: object = {}) => post(toolCall("call_tool_read", { name, args }));
  await call("up:echo", { text: "x" });
  const query = await prometheus(t, address!);

  assert.deepEqual(await query('mcp_client_operation_duration_seconds_count{server="up",error_type=""}'), ["1"]);
  assert.deepEqual(await query('sum(mcp_proxy_server_up{server="up"})'), ["1"]);
  await call("up:echo", { text: "y" });
  await call("up:fail");
  await call("none:echo");
  const { panels } = JSON.parse(readFileSync("docs/monitoring/grafana-dashboard.json", "utf8")) as Dashboard;
  const missing = async () => {
    const titles = [];
    for (const { title, targets = [] } of panels)
      for (const { expr } of targets) {
        const values = await query(expr.replaceAll("$job", "proxy").replaceAll("$__rate_interval", "1m"));
        if (values.length === 0 || values.some((value) => value === "NaN")) titles.push(title);
      }
    return [...new Set(titles)];
  };
  // A rate needs two scrapes.
  const reaches = async (count: number) => (await missing()).length <= count;
  await until("the values", () => reaches(NEEDS_EVENT.length)).catch(() => undefined);
  assert.deepEqual(await missing(), NEEDS_EVENT);
});

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}
