import assert from "node:assert/strict";
import { test } from "node:test";
import { withApp } from "#test/kit/app.ts";
import { call } from "#test/kit/http.ts";
import { issue, shows } from "#test/kit/token.ts";

const many = (server: string, n: number) =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [`${server}:tool_${i}`, "approved" as const]));

test("what is spared are all definitions less what one search answers", async () => {
  const servers = [
    { name: "git", command: "x" },
    { name: "web", command: "x" },
  ];
  await withApp({ connect: false, servers, tools: { ...many("git", 90), ...many("web", 10) } }, async (app) => {
    const all = await call(app, "GET /api/v1/stats/tokens", {});
    const sum = Object.values(all.per_server_tool_list_sizes).reduce((a, b) => a + b, 0);
    assert.equal(all.total_server_tool_list_size, sum);
    assert.equal(all.saved_tokens, sum - all.average_query_result_size);
    // 15 of 100 tools of nearly the same size.
    assert.ok(Math.abs(all.saved_tokens_percentage - 85) < 1, String(all.saved_tokens_percentage));
  });
});

test("with fewer tools than one search answers nothing is spared, and with none nothing is divided by", async () => {
  const servers = [{ name: "git", command: "x" }];
  await withApp({ connect: false, servers, tools: many("git", 3) }, async (app) => {
    assert.equal((await call(app, "GET /api/v1/stats/tokens", {})).saved_tokens, 0);
  });
  await withApp({ connect: false }, async (app) => {
    assert.equal((await call(app, "GET /api/v1/stats/tokens", {})).saved_tokens_percentage, 0);
  });
});

test("an agent is told of the servers within its reach alone", async () => {
  const servers = [
    { name: "git", command: "x" },
    { name: "web", command: "x" },
  ];
  await withApp({ connect: false, servers, tools: { ...many("git", 2), ...many("web", 2) } }, async (app) => {
    const as = shows(await issue(app, { allowed_servers: ["git"] }));
    const told = await call(app, "GET /api/v1/stats/tokens", { as });
    assert.deepEqual(Object.keys(told.per_server_tool_list_sizes), ["git"]);
  });
});
