import assert from "node:assert/strict";
import { test } from "node:test";
import { requestId } from "#lib/core/base/id.ts";
import { callInspector } from "#lib/core/extension/call-inspector.ts";
import { callUpstreamTool } from "#lib/core/gateway/call.ts";
import { type Actor, FULL_SCOPE } from "#lib/core/schema/caller.ts";
import { quarantineServer } from "#lib/core/verbs/servers/enable.ts";
import { blockTools } from "#lib/core/verbs/tools/block.ts";
import type { TestApp } from "#test/kit/app.ts";
import { program, serve } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";

const BY: Actor = {
  caller: { tier: "admin", name: "tester", listener: "internal", scope: FULL_SCOPE },
  origin: { source: "mcp", requestId: requestId(undefined), sessionId: "s1" },
};

const CHANGES: readonly { title: string; code: string; change(app: TestApp): Promise<unknown> }[] = [
  {
    title: "its server was quarantined",
    code: "tool_blocked",
    change: (app) => quarantineServer(app, "up", BY),
  },
  {
    title: "its tool was blocked",
    code: "tool_blocked",
    change: (app) => blockTools(app, "up", ["echo"], BY),
  },
  {
    title: "its server was disabled",
    code: "tool_blocked",
    change: (app) =>
      app.config.update((draft) => {
        draft.mcpServers[0]!.enabled = false;
      }, "test"),
  },
];

for (const { title, code, change } of CHANGES)
  test(`a call whose arguments are searched is not sent if meanwhile ${title}`, async (t) => {
    const { app } = await serve(t, { servers: [program("up")], connect: true });
    await until("the tools are listed", () => app.catalog.get("up:echo") !== undefined);
    const inspector = app.part(callInspector)!;
    let end = () => {};
    const searching = new Promise<void>((done) => {
      end = done;
    });
    Object.assign(inspector, { arguments: () => searching.then(() => ({ findings: [] })) });
    const call = callUpstreamTool(app, BY, { id: "up:echo", args: {}, signal: new AbortController().signal });

    await change(app);
    end();

    await assert.rejects(call, { code });
    await until("the record", async () => {
      const { records } = await app.store.activity.select({ type: ["tool_call"], tool: "echo" }, { limit: 9 });
      return records.length === 1 && records[0]?.status === "blocked";
    });
  });

for (const { title, code, change } of CHANGES)
  test(`a call that waits for a slot is not sent if meanwhile ${title}`, async (t) => {
    const server = { ...program("up"), max_concurrent_requests: 1, queue_size: 5 };
    const { app } = await serve(t, { servers: [server], connect: true });
    const control = new AbortController();
    const first = callUpstreamTool(app, BY, { id: "up:slow", args: { ms: 60_000 }, signal: control.signal });
    await until("the slot is taken", () => app.upstreams.get("up")?.load().active === 1);
    const waiting = callUpstreamTool(app, BY, {
      id: "up:echo",
      args: { text: "late" },
      signal: new AbortController().signal,
    });
    await until("the call waits", () => app.upstreams.get("up")?.load().waiting === 1);

    await change(app);
    control.abort();

    await assert.rejects(first);
    await assert.rejects(waiting, { code });
    await until("the record", async () => {
      const { records } = await app.store.activity.select({ type: ["tool_call"], tool: "echo" }, { limit: 9 });
      return records.length === 1 && records[0]?.status === "blocked";
    });
  });
