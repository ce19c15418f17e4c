import assert from "node:assert/strict";
import { withApp } from "#test/kit/app.ts";
import { call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const ROUTING = "GET /api/v1/routing";

verifies(
  [
    "rest.routing.get",
    "rest.routing.served",
    "rest.routing.description",
    "rest.routing.endpoints",
    "rest.routing.available",
    "rest.routing.response-mode",
    "rest.routing.direct-response-mode",
    "rest.routing.pending",
    "rest.routing.restart-required",
    "rest.routing.persisted",
    "rest.routing.reapply-clears",
  ],
  "the served mode stays, another is pending until the next start, and applying the served one clears it",
  () =>
    withApp({ connect: false }, async (app) => {
      const fresh = await call(app, ROUTING, {});
      const { description, ...rest } = fresh;
      assert.ok(description.length > 10);
      assert.deepEqual(rest, {
        routing_mode: "retrieve_tools",
        endpoints: { default: "/mcp", direct: "/mcp/all", code_execution: "/mcp/code", retrieve_tools: "/mcp/call" },
        available_modes: ["retrieve_tools", "direct", "code_execution"],
        tool_response_mode: "full",
        direct_tool_response_mode: "full",
        code_execution_enabled: true,
        pending_routing_mode: "",
        restart_required: false,
      });

      const set = (change: Parameters<typeof app.config.update>[0]) => app.config.update(change, "test");
      await set((draft) => {
        draft.routing_mode = "direct";
      });
      await set((draft) => {
        draft.tool_response_mode = "compact";
      });
      const pending = await call(app, ROUTING, {});
      assert.deepEqual(
        [pending.routing_mode, pending.pending_routing_mode, pending.restart_required, pending.tool_response_mode],
        ["retrieve_tools", "direct", true, "compact"],
      );

      await set((draft) => {
        draft.routing_mode = "retrieve_tools";
      });
      const cleared = await call(app, ROUTING, {});
      assert.deepEqual([cleared.pending_routing_mode, cleared.restart_required], ["", false]);
    }),
);
