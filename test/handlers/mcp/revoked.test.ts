import assert from "node:assert/strict";
import { test } from "node:test";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { regenerateToken } from "#lib/core/verbs/tokens/regenerate.ts";
import { removeToken } from "#lib/core/verbs/tokens/remove.ts";
import { revokeToken } from "#lib/core/verbs/tokens/revoke.ts";
import { handClock } from "#test/kit/clock.ts";
import { INITIALIZE, program, type Served, serve, toolCall } from "#test/kit/mcp.ts";
import { issue, shows } from "#test/kit/token.ts";

const by = { caller: INTERNAL_CALLER, origin: { source: "internal" as const, requestId: "r-1" } };

/** A session of a token, with its event stream open. */
async function session({ url, post }: Served, token: string) {
  const opened = await post(INITIALIZE, { headers: shows(token) });
  const headers = { ...shows(token), "mcp-session-id": opened.headers.get("mcp-session-id")! };
  const stream = await fetch(`${url}/mcp/call`, { headers: { ...headers, accept: "text/event-stream" } });
  assert.equal(stream.status, 200);
  return { headers, ended: stream.text() };
}

test("with its token a session ends at once: its stream, its calls, and the way back", async (t) => {
  for (const end of [revokeToken, removeToken, regenerateToken]) {
    const served = await serve(t, { connect: true, servers: [program("alpha")] });
    const { app, post } = served;
    const token = await issue(app);
    const { headers, ended } = await session(served, token);
    const started = new Promise<void>((done) => {
      app.events.subscribe(({ kind }) => kind === "activity.tool_call.started" && done());
    });
    const intent = { operation_type: "read" };
    const slow = post(toolCall("call_tool_read", { name: "alpha:slow", args_json: '{"ms":60000}', intent }), {
      headers,
    });
    await started;

    await end(app, "bot", by);

    await ended;
    const { text } = await slow;
    // Told why, where its answer could still be told anything.
    if (text.includes('"result"'))
      assert.match(text, /invalid agent token: .*"isError":true/, `${end.name}: it went on`);
    assert.equal((await post(toolCall("retrieve_tools", { query: "x" }), { headers })).status, 401, end.name);
  }
});

test("a token of the same name does not inherit a session", async (t) => {
  const served = await serve(t);
  const { headers } = await session(served, await issue(served.app));
  await removeToken(served.app, "bot", by);
  const again = { ...headers, ...shows(await issue(served.app)) };
  assert.equal((await served.post(toolCall("retrieve_tools", { query: "x" }), { headers: again })).status, 404);
});

test("an expired token's session ends soon after", async (t) => {
  const clock = handClock();
  const served = await serve(t, { clock });
  const { ended } = await session(served, await issue(served.app, { expires_in: "1m" }));
  await clock.advance(80_000);
  await ended;
});
