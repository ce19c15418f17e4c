import assert from "node:assert/strict";
import { duplexPair } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import type { App } from "#lib/core/app.ts";
import { connectionWaits } from "#lib/core/gateway/connection-waits.ts";
import type { Upstream } from "#lib/core/upstream/upstreams.ts";
import { encodeCaller } from "#lib/modules/cluster/hop/hop-caller.ts";
import { noteLine } from "#lib/modules/cluster/hop/hop-protocol.ts";
import { ProcessConversation } from "#lib/modules/cluster/hop/process-conversation.ts";
import { admin } from "#test/kit/actor.ts";
import { withApp } from "#test/kit/app.ts";
import { until } from "#test/kit/until.ts";

test("a handshake with a process that has just ended ends the conversation, so that the other replica waits", async () => {
  const [near, far] = duplexPair();
  // Only these members are asked for a handshake.
  const upstream = { name: "git", status: () => ({ state: "Disconnected" }), capabilities: undefined };
  new ProcessConversation({ app: {} as App, upstream: upstream as unknown as Upstream, stream: near });

  far.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n');

  assert.equal(await text(far), noteLine({ ended: "its process has ended" }));
});

for (const isInTime of [true, false])
  test(
    isInTime
      ? "a call that comes while the process is started again waits for it"
      : "a call that waits for the process in vain gets an error that says that it can be repeated",
    () =>
      withApp(
        { connect: false, servers: [{ name: "git", command: "true" }], tools: { "git:read": "approved" } },
        async (app) => {
          const [near, far] = duplexPair();
          let state = "Disconnected";
          const status = () => ({ state, lastError: "the database was away", retries: 1, listing: { listed: true } });
          Object.assign(app.upstreams, { get: () => ({ status }) });
          const upstream = {
            name: "git",
            status,
            async ensureReady() {
              if (isInTime) state = "Ready";
            },
            request: async () => ({ raw: '{"content":[]}' }),
          };
          new ProcessConversation({ app, upstream: upstream as unknown as Upstream, stream: near });

          far.write(noteLine({ for: 1, caller: encodeCaller(admin.caller) }));
          far.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{}}}\n');

          let answer = "";
          for await (const chunk of far) {
            answer += String(chunk);
            if (answer.endsWith("\n")) break;
          }
          if (isInTime) assert.deepEqual(JSON.parse(answer), { jsonrpc: "2.0", id: 1, result: { content: [] } });
          else assert.match(answer, /"failed":1,"code":"server_not_ready"/);
        },
      ),
  );

test("a call that comes before this replica has listed the tools of a new process waits for that", () =>
  withApp({ connect: false, servers: [{ name: "git", command: "true", trust_mode: "auto" }] }, async (app) => {
    const [near, far] = duplexPair();
    let listed = false;
    const upstream = {
      name: "git",
      status: () => ({ state: "Ready", listing: { listed } }),
      ensureReady: async () => {},
      request: async () => ({ raw: '{"content":[]}' }),
    };
    Object.assign(app.upstreams, { get: () => upstream });
    new ProcessConversation({ app, upstream: upstream as unknown as Upstream, stream: near });
    far.write(noteLine({ for: 1, caller: encodeCaller(admin.caller) }));
    far.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{}}}\n');
    await until("it waits", () => app.part(connectionWaits).count === 1);

    await app.catalog.acceptListing("git", [{ name: "read", description: "", inputSchema: { type: "object" } }]);
    listed = true;
    app.events.publish("servers.changed", { server: "git", reason: "tools_listed" });

    let answer = "";
    for await (const chunk of far) {
      answer += String(chunk);
      if (answer.endsWith("\n")) break;
    }
    assert.deepEqual(JSON.parse(answer), { jsonrpc: "2.0", id: 1, result: { content: [] } });
  }));
