import assert from "node:assert/strict";
import { test } from "node:test";
import { regenerateToken } from "#lib/core/verbs/tokens/regenerate.ts";
import { removeToken } from "#lib/core/verbs/tokens/remove.ts";
import { revokeToken } from "#lib/core/verbs/tokens/revoke.ts";
import { admin as by } from "#test/kit/actor.ts";
import type { TestApp } from "#test/kit/app.ts";
import { older } from "#test/kit/asked-client.ts";
import { able, ask, listen } from "#test/kit/era.ts";
import { program, type Served, serve, textOf } from "#test/kit/mcp.ts";
import { issue, shows } from "#test/kit/token.ts";
import { until } from "#test/kit/until.ts";

/** Changes every server's entry. */
const changed = (member: object) => (app: TestApp) =>
  app.config.update((draft) => {
    draft.mcpServers = draft.mcpServers.map((one) => ({ ...one, ...member }));
  }, "a test");

const TOKEN_LOSSES: Record<string, (app: TestApp) => Promise<unknown>> = {
  "the token is revoked": (app) => revokeToken(app, "bot", by),
  "the token is replaced": (app) => regenerateToken(app, "bot", by),
  "the token is removed": (app) => removeToken(app, "bot", by),
};
const SERVER_LOSSES: Record<string, (app: TestApp) => Promise<unknown>> = {
  "the server is quarantined": changed({ quarantined: true }),
  "the server is disabled": changed({ enabled: false }),
  "the server is removed": (app) =>
    app.config.update((draft) => {
      draft.mcpServers = [];
    }, "a test"),
};
const LOSSES = { ...TOKEN_LOSSES, ...SERVER_LOSSES };

const WHY = /invalid agent token: revoked|while the call waited for an answer|it was stopped/;

async function scene(t: Parameters<typeof serve>[0]): Promise<Served & { headers: Record<string, string> }> {
  const servers = [program("old"), program("new", "--era", "modern")];
  const served = await serve(t, { servers, connect: true });
  const headers = shows(
    await issue(served.app, { allowed_servers: ["*"], permissions: ["read", "write", "destructive"] }),
  );
  return { ...served, headers };
}

const questions = async (app: TestApp) =>
  (await app.store.activity.select({ type: ["question"] }, { limit: 50 })).records;

for (const [loss, lose] of Object.entries(LOSSES)) {
  for (const server of ["old", "new"])
    test(`2025 client, ${server} server: a call that waits for an answer ends with the reason when ${loss}`, async (t) => {
      const served = await scene(t);
      const client = await older(served, { headers: served.headers });
      client.onAsked(() => new Promise(() => {}));

      const call = client.call(`${server}__ask`, { kind: "form" }).catch((error: Error) => error);
      await until("the client is asked", () => client.seen.length === 1);
      await lose(served.app);
      const ended = await call;
      await client.close().catch(() => {});

      const text = ended instanceof Error ? ended.message : textOf(ended);
      assert.match(text, WHY);
      const [record] = await questions(served.app);
      assert.equal(record?.status, "error");
      assert.notEqual(record?.metadata?.reason, "the server withdrew the question");
    });

  test(`2026 client, old server: a held call ends when ${loss}`, async (t) => {
    const served = await scene(t);
    const { headers } = served;
    const params = { name: "old__ask", arguments: { kind: "form" }, ...able({ elicitation: {} }) };
    const { result } = (await ask(served, "tools/call", params, { headers })).body;
    assert.equal(result.resultType, "input_required");

    await lose(served.app);
    await until("the question is recorded", async () => (await questions(served.app)).length === 1);

    assert.match(String((await questions(served.app))[0]?.metadata?.reason), WHY);
    const [key] = Object.keys(result.inputRequests);
    const inputResponses = { [key!]: { action: "accept", content: { name: "Bea" } } };
    const again = { ...params, inputResponses, requestState: result.requestState };
    const { status, body } = await ask(served, "tools/call", again, { headers });
    if (status !== 401) assert.match(JSON.stringify(body), WHY);
  });
}

for (const [loss, lose] of Object.entries(TOKEN_LOSSES))
  test(`open streams end when ${loss}`, async (t) => {
    const served = await scene(t);
    const { headers } = served;
    const client = await older(served, { headers });
    const accept = { accept: "text/event-stream", ...headers, ...client.headers() };
    const stream = await fetch(`${served.url}/mcp/all`, { headers: accept });
    const newer = await listen(served, { toolsListChanged: true }, { headers });
    await newer.next();

    await lose(served.app);

    const last = await newer.next();
    assert.equal(last.id, "sub");
    assert.equal(await newer.next(), undefined);
    await stream.text();
    await client.close().catch(() => {});
  });
