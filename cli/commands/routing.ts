import { command } from "../command.ts";

export default command({
  meta: { group: "clients", description: "Show what each MCP endpoint serves" },
  async run({ cli }) {
    const routing = await cli.call("GET /api/v1/routing", {});
    await cli.show(routing, ({ routing_mode, description, endpoints, restart_required, pending_routing_mode }) =>
      [
        `/mcp serves ${routing_mode}: ${description}`,
        ...Object.entries(endpoints).map(([mode, path]) => `  ${path.padEnd(10)} ${mode}`),
        ...(restart_required ? [`after a restart: ${pending_routing_mode}`] : []),
      ].join("\n"),
    );
  },
});
