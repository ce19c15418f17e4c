import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { listenTest } from "#test/kit/app.ts";
import { openClusterApps } from "#test/kit/cluster-apps.ts";
import { INITIALIZE } from "#test/kit/mcp.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { until } from "#test/kit/until.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);
const PING = { jsonrpc: "2.0", id: 2, method: "ping" };

async function replicas(t: TestContext, count = 3) {
  const apps = await openClusterApps(t, server!.database(), { count });
  const listening = await Promise.all(apps.map(listenTest));
  t.after(() => Promise.all(listening.map(({ close }) => close())));
  const send = (at: number, method: string, session?: string, message?: unknown) =>
    fetch(`${listening[at]!.url}/mcp`, {
      method,
      headers: {
        accept: "application/json, text/event-stream",
        ...(message !== undefined && { "content-type": "application/json" }),
        ...(session !== undefined && { "mcp-session-id": session }),
      },
      ...(message !== undefined && { body: JSON.stringify(message) }),
    });
  const open = async (at: number) => (await send(at, "POST", undefined, INITIALIZE)).headers.get("mcp-session-id")!;
  const status = async (at: number, session: string) => {
    const response = await send(at, "POST", session, PING);
    await response.text();
    return response.status;
  };
  return { apps, send, open, status };
}

test("a session that its client ends at one replica ends at all, also at those that have not seen it", {
  skip,
}, async (t) => {
  const { send, open, status } = await replicas(t);
  const [session, other] = [await open(0), await open(0)];
  for (const at of [0, 1]) for (const one of [session, other]) assert.equal(await status(at, one), 200);

  assert.equal((await send(1, "DELETE", session)).status, 200);

  await until("it has ended where it was in use", async () => (await status(0, session)) === 404);
  assert.equal(await status(1, session), 404);
  assert.equal(await status(2, session), 404);
  assert.equal(await status(2, other), 200);
});

test("a client that comes back to another replica is notified that its lists may have changed", { skip }, async (t) => {
  const { send, open } = await replicas(t, 2);
  const session = await open(0);
  const aborts = new AbortController();
  t.after(() => aborts.abort());
  const seen = ["", ""];
  const follow = async (at: number) => {
    const { body } = await send(at, "GET", session);
    for await (const text of body!.pipeThrough(new TextDecoderStream())) seen[at] += text;
  };
  for (const at of [0, 1]) void follow(at).catch(() => {});

  await until("the other replica notifies it", () => seen[1]!.includes("notifications/resources/list_changed"));
  assert.match(seen[1]!, /notifications\/tools\/list_changed/);
  assert.match(seen[1]!, /notifications\/prompts\/list_changed/);
  assert.doesNotMatch(seen[0]!, /list_changed/);
});
