import assert from "node:assert/strict";
import { test } from "node:test";
import { OPERATIONS } from "#lib/modules/manage/manage.ts";
import { TEST_KEY } from "#test/kit/app.ts";
import { PUBLIC_HOST, startFront } from "#test/kit/front.ts";
import { ask } from "#test/kit/http.ts";
import { serve, toolCall } from "#test/kit/mcp.ts";

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const MANAGEMENT = ["upstream_servers", "search_servers", "list_registries"];

type Post = Awaited<ReturnType<typeof serve>>["post"];

/** Which of the management tools one is offered. */
async function offered(post: Post, headers: Record<string, string> = {}): Promise<string[]> {
  const { body } = await post(LIST, { headers });
  const names: string[] = body.result.tools.map(({ name }: { name: string }) => name);
  assert.ok(names.includes("retrieve_tools"));
  return names.filter((name) => MANAGEMENT.includes(name));
}

test("on a listener that is not loopback, nobody without a credential is offered management, and every operation is refused", async (t) => {
  const { app, post } = await serve(t, { servers: [{ name: "git", command: "x", enabled: false }] });
  assert.equal((await offered(post)).length, MANAGEMENT.length);
  const before = JSON.stringify(app.config.file());

  app.boot.listenAddr = "0.0.0.0:8080";
  assert.deepEqual(await offered(post), []);
  for (const operation of OPERATIONS) {
    const { text } = await post(toolCall("upstream_servers", { operation, name: "git", command: "y", url: "" }));
    assert.match(text, /Unknown tool|unknown tool/i, operation);
    assert.doesNotMatch(text, /"servers"/, operation);
  }
  assert.equal(JSON.stringify(app.config.file()), before);
  assert.equal((await offered(post, { "x-api-key": TEST_KEY })).length, MANAGEMENT.length);
});

test("on a listener that is not loopback, a web page of any origin is answered and manages nothing without a credential", async (t) => {
  const { app, post } = await serve(t, {});
  app.boot.listenAddr = "0.0.0.0:8080";

  for (const origin of ["http://rebind.evil.example", "http://localhost:5555", "null"])
    assert.deepEqual(await offered(post, { origin }), [], origin);
});

test("a web page of another port of this machine uses tools but manages nothing without a credential", async (t) => {
  const { app, url, post } = await serve(t, {});
  for (const origin of ["http://localhost:5555", "chrome-extension://localhost", "vscode-webview://localhost"]) {
    assert.deepEqual(await offered(post, { origin }), [], origin);
    await post(toolCall("upstream_servers", { operation: "add", name: "p", command: "sh" }), { headers: { origin } });
  }
  assert.equal(app.config.server("p"), undefined);
  assert.equal((await offered(post, { origin: url })).length, MANAGEMENT.length);
});

test("behind a reverse proxy on this machine, nobody without a credential manages servers, whatever the headers say", async (t) => {
  const { app, url, post } = await serve(t, { config: { trusted_hosts: [PUBLIC_HOST] } });
  const front = await startFront(t, url);
  const names = async (address: string) => {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const response = await fetch(`${address}/mcp/call`, { method: "POST", headers, body: JSON.stringify(LIST) });
    assert.equal(response.status, 200);
    return await response.text();
  };
  assert.doesNotMatch(await names(front), /upstream_servers/, "it names the public host");

  await ask(app, "PATCH /api/v1/config", { body: { trusted_proxies: ["127.0.0.0/8", "::1"] } });
  assert.doesNotMatch(await names(front), /upstream_servers/);
  assert.deepEqual(await offered(post, { "x-forwarded-for": "127.0.0.1" }), [], "the peer counts as the proxy");
});
