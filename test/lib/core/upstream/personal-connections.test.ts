import assert from "node:assert/strict";
import { test } from "node:test";
import { stdioServer, testUpstreams, until } from "#test/kit/upstream.ts";
import "#lib/modules/config.gen.ts";

test("what a user's own connection lists reaches neither the shared catalog nor the event stream", async () => {
  const server = { ...stdioServer("crm"), auth_broker: { mode: "oauth_connect" as const } };
  const { upstreams, accepts, events, close } = testUpstreams({ servers: [server] });
  await until("the shared listing", () => accepts() === 1);
  const published: string[] = [];
  events.subscribe(({ kind }) => void published.push(kind));

  const personal = upstreams.forUser("crm", "user-1")!;
  await until("the user's own connection", () => personal.status().state === "Ready");
  await personal.discover("the test asks");

  assert.equal(accepts(), 1);
  assert.deepEqual(published, []);
  await close();
});
