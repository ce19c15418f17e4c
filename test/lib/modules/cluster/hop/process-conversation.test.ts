import assert from "node:assert/strict";
import { duplexPair } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import type { App } from "#lib/core/app.ts";
import type { Upstream } from "#lib/core/upstream/upstreams.ts";
import { noteLine } from "#lib/modules/cluster/hop/hop-protocol.ts";
import { ProcessConversation } from "#lib/modules/cluster/hop/process-conversation.ts";

test("a handshake with a process that has just ended ends the conversation, so that the other replica waits", async () => {
  const [near, far] = duplexPair();
  // Only these members are asked for a handshake.
  const upstream = { name: "git", status: () => ({ state: "Disconnected" }), capabilities: undefined };
  new ProcessConversation({ app: {} as App, upstream: upstream as unknown as Upstream, stream: near });

  far.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n');

  assert.equal(await text(far), noteLine({ ended: "its process has ended" }));
});
