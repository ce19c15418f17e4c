import assert from "node:assert/strict";
import { test } from "node:test";
import { withApp } from "#test/kit/app.ts";
import { call } from "#test/kit/http.ts";
import { until } from "#test/kit/until.ts";
import { startProgram } from "#test/kit/upstream.ts";

test("a change that connects a server anew shows it as connecting, never as failed", async (t) => {
  const { url, kill } = await startProgram("upstream-http.mjs");
  t.after(kill);
  await withApp({ servers: [{ name: "h", url }] }, async (app) => {
    const state = () => app.upstreams.get("h")?.status().state;
    await until("it is connected", () => state() === "Ready");
    const seen: string[] = [];
    app.events.subscribe(({ kind }) => void (kind === "servers.changed" && seen.push(state() ?? "none")));

    const { health, status } = await call(app, "PATCH /api/v1/servers/{name}", {
      params: { name: "h" },
      body: { headers: { "X-T": "1" } },
    });

    assert.deepEqual(
      [health.level, health.summary, health.action, status],
      ["healthy", "Connecting...", "", "connecting"],
    );
    await until("it is connected again", () => state() === "Ready");
    assert.ok(seen.length > 0 && seen.every((one) => one === "Connecting" || one === "Ready"), seen.join(", "));
  });
});
