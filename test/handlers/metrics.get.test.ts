import assert from "node:assert/strict";
import { test } from "node:test";
import { metrics } from "#lib/modules/metrics/state.ts";
import { withApp } from "#test/kit/app.ts";
import { ask } from "#test/kit/http.ts";
import { until } from "#test/kit/until.ts";

const GET = "GET /metrics";

test("metrics are absent until they are enabled", () =>
  withApp({ connect: false }, async (app) => {
    const { status, body } = await ask(app, GET);
    assert.deepEqual([status, body.code], [404, "metrics_disabled"]);
  }));

test("metrics are sent to administrators only", () =>
  withApp({ config: { metrics: { enabled: true } } }, async (app) => {
    await until("measuring", () =>
      app
        .part(metrics)
        .text()
        .then(
          () => true,
          () => false,
        ),
    );
    const { status, headers, body } = await ask(app, GET);

    assert.deepEqual([status, headers.get("content-type")], [200, "text/plain; version=0.0.4; charset=utf-8"]);
    assert.match(String(body), /^mcp_proxy_info\{version="0\.0\.0-test"\} 1$/m);
    assert.equal((await ask(app, GET, { as: "nobody" })).status, 401);
  }));
