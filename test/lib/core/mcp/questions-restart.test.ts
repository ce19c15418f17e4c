import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { able, ask } from "#test/kit/era.ts";
import { jsonOf, serve, textOf } from "#test/kit/mcp.ts";
import { startProgram } from "#test/kit/upstream.ts";

test("after a restart a newer server's question is still answered; an older server's call is over, and is not made twice", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const programs = {
    old: await startProgram("upstream-http.mjs"),
    new: await startProgram("upstream-http.mjs", "--era", "modern"),
  };
  t.after(() => Promise.all(Object.values(programs).map((one) => one.kill())));
  const servers = Object.entries(programs).map(([name, { url }]) => ({ name, url, trust_mode: "auto" as const }));
  const capabilities = able({ elicitation: {} });
  const call = (server: string, more: object = {}) => ({
    name: `${server}__ask`,
    arguments: { kind: "form" },
    ...capabilities,
    ...more,
  });

  const states: Record<string, object> = {};
  await t.test("before", async (before) => {
    const served = await serve(before, { servers, dir, connect: true });
    for (const server of ["old", "new"]) {
      const { inputRequests, requestState } = (await ask(served, "tools/call", call(server))).body.result;
      const [key = ""] = Object.keys(inputRequests);
      const inputResponses = { [key]: { action: "accept", content: { name: "Amy" } } };
      states[server] = { inputResponses, ...(requestState && { requestState }) };
    }
  });

  const served = await serve(t, { servers, dir, connect: true });
  const { records } = await served.app.store.activity.select({ type: ["question"] }, { limit: 10 });
  assert.deepEqual(records.map(({ server_name, status }) => [server_name, status]).toSorted(), [
    ["new", "error"],
    ["old", "error"],
  ]);
  assert.match(JSON.stringify(records), /the proxy was stopped before the answer came/);
  const finished = await ask(served, "tools/call", call("new", states.new));
  assert.match(textOf(finished.body.result), /Amy/);

  const { error } = (await ask(served, "tools/call", call("old", states.old))).body;
  assert.equal(error.code, -32602);
  assert.match(error.message, /is over.*the proxy was restarted.*repeat the request without requestState/);
  const stats = await ask(served, "tools/call", { name: "old__stats" });
  assert.equal(jsonOf(stats.body.result).calls, 2, "the call before the restart, and this one");
});
