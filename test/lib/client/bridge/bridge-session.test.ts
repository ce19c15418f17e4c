import assert from "node:assert/strict";
import { test } from "node:test";
import type { BridgeLink } from "#lib/client/bridge/bridge-link.ts";
import { createBridgeSession } from "#lib/client/bridge/bridge-session.ts";
import { readMessage } from "#lib/client/bridge/read-message.ts";
import { INITIALIZE } from "#test/kit/mcp.ts";

test("a session that is opened again gets the log level and the subscriptions that the client had", async () => {
  const ended = new AbortController();
  const sent: string[] = [];
  let opened = 0;
  const link: BridgeLink = {
    wasReached: true,
    async send({ method, body, receive, signal, headers }) {
      if (method === "GET")
        return new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
      const isOpening = body?.includes('"initialize"') === true;
      if (isOpening) receive('{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}');
      else sent.push(`${headers["mcp-session-id"]} ${JSON.parse(body ?? "{}").method}`);
      return { status: 200, text: "", sessionId: isOpening ? `s${++opened}` : undefined };
    },
  };
  const out = { write: () => {}, pace: () => undefined, written: async () => {} };
  const session = createBridgeSession({ link, out, note: () => {}, signal: ended.signal });
  const asked = (method: string, params: object) => JSON.stringify({ jsonrpc: "2.0", id: 9, method, params });

  await session.initialize(readMessage(JSON.stringify(INITIALIZE)), 1);
  for (const [method, params] of [
    ["logging/setLevel", { level: "info" }],
    ["resources/subscribe", { uri: "a:1" }],
    ["resources/subscribe", { uri: "a:2" }],
    ["resources/unsubscribe", { uri: "a:1" }],
  ] as const)
    session.remember(readMessage(asked(method, params)));
  await Promise.all([session.reopen("s1"), session.reopen("s1"), session.reopen("another")]);

  assert.equal(session.id, "s2");
  assert.deepEqual(sent, ["s2 notifications/initialized", "s2 logging/setLevel", "s2 resources/subscribe"]);
  ended.abort();
});
