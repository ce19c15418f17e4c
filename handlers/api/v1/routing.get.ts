import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";

const MODES = ["retrieve_tools", "direct", "code_execution"] as const;
const DESCRIPTIONS: Record<(typeof MODES)[number], string> = {
  retrieve_tools: "Clients search for tools and call them through call_tool_read, _write and _destructive",
  direct: "Clients see every upstream tool as serverName__toolName",
  code_execution: "Clients search for tools and call them from scripts in a sandbox",
};
const mode = v.picklist(MODES);
const available: v.InferOutput<typeof mode>[] = [...MODES];

/** The routing mode of each MCP endpoint, at present and after the next start (spec 000 §2.7). */
export default endpoint("GET /api/v1/routing", {
  summary: "Report the routing mode",
  access: "read",
  data: v.object({
    routing_mode: v.pipe(mode, v.description("routing mode of `/mcp`, fixed at startup")),
    description: v.string(),
    endpoints: v.object({
      default: v.literal("/mcp"),
      direct: v.literal("/mcp/all"),
      code_execution: v.literal("/mcp/code"),
      retrieve_tools: v.literal("/mcp/call"),
    }),
    available_modes: v.array(mode),
    tool_response_mode: v.picklist(["full", "compact"]),
    direct_tool_response_mode: v.picklist(["full", "deferred"]),
    code_execution_enabled: v.boolean(),
    pending_routing_mode: v.pipe(
      v.picklist([...MODES, ""]),
      v.description("routing mode after the next restart, if it differs; else empty"),
    ),
    restart_required: v.boolean(),
  }),
  run({ app }) {
    const served = app.boot.routingMode;
    const config = app.config.current();
    const configured = app.config.wanted().routing_mode;
    return {
      routing_mode: served,
      description: DESCRIPTIONS[served],
      endpoints: { default: "/mcp", direct: "/mcp/all", code_execution: "/mcp/code", retrieve_tools: "/mcp/call" },
      available_modes: available,
      tool_response_mode: config.tool_response_mode,
      direct_tool_response_mode: config.direct_tool_response_mode,
      code_execution_enabled: config.enable_code_execution,
      pending_routing_mode: configured === served ? "" : configured,
      restart_required: configured !== served,
    };
  },
});
