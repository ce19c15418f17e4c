import assert from "node:assert/strict";
import { test } from "node:test";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import type { EventOf } from "#lib/core/schema/event.ts";
import { approveTools } from "#lib/core/verbs/tools/approve.ts";
import { blockTools } from "#lib/core/verbs/tools/block.ts";
import { withApp } from "#test/kit/app.ts";

const BY = { caller: INTERNAL_CALLER, origin: { source: "internal", requestId: "r" } } as const;

test("a decision about tools publishes each kind of event once", () =>
  withApp(
    { connect: false, servers: [{ name: "a", command: "x", quarantined: false }], tools: { "a:t": "pending" } },
    async (app) => {
      const heard: string[] = [];
      app.events.subscribe(({ kind }: EventOf) => void heard.push(kind));
      const changes = () => heard.splice(0).filter((kind) => kind.endsWith(".changed"));

      await approveTools(app, "a", ["t"], {}, BY);
      assert.deepEqual(changes(), ["tools.changed", "servers.changed"]);

      await blockTools(app, "a", ["t"], BY);
      assert.deepEqual(changes(), ["tools.changed", "servers.changed"]);
    },
  ));
