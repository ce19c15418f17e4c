import assert from "node:assert/strict";
import { test } from "node:test";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { regenerateToken } from "#lib/core/verbs/tokens/regenerate.ts";
import { removeToken } from "#lib/core/verbs/tokens/remove.ts";
import { revokeToken } from "#lib/core/verbs/tokens/revoke.ts";
import { program, serve, toolCall } from "#test/kit/mcp.ts";
import { issue, shows } from "#test/kit/token.ts";
import { until } from "#test/kit/until.ts";

const by = { caller: INTERNAL_CALLER, origin: { source: "internal" as const, requestId: "r-1" } };
const SLOW = { ms: 60_000 };

test("what a token has under way without a session ends with it: calls, scripts, REST", async (t) => {
  for (const end of [revokeToken, removeToken, regenerateToken]) {
    const { app, url, post } = await serve(t, { servers: [program("up")], connect: true });
    const token = await issue(app, { permissions: ["read", "write", "destructive"] });
    const headers = shows(token);
    const rest = (path: string, body: object) =>
      fetch(url + path, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body),
      }).then(async (response) => ({ status: response.status, text: await response.text() }));
    const started: string[] = [];
    app.events.subscribe(({ kind }) => void (kind === "activity.tool_call.started" && started.push(kind)));

    const intent = { operation_type: "read" };
    const answers = [
      post(toolCall("call_tool_read", { name: "up:slow", args: SLOW, intent }), { headers }),
      post(toolCall("up__slow", SLOW), { path: "/mcp/all", headers }),
      rest("/api/v1/tools/call", { tool_name: "up:slow", arguments: SLOW }),
      rest("/api/v1/code/exec", { code: `call_tool("up", "slow", { ms: 60000 })` }),
    ];
    await until("four calls under way", () => started.length === 4);
    await end(app, "bot", by);
    const [variant, direct, called, script] = await Promise.all(answers);

    for (const answer of [variant, direct]) assert.match(answer!.text, /invalid agent token/, end.name);
    assert.equal(called!.status, 401);
    assert.match(called!.text, /agent_token_invalid/);
    assert.ok(script!.status === 401 || /cancel/i.test(script!.text), script!.text);
  }
});
