import { command } from "../../command.ts";

export default command({
  meta: {
    description: "Print all tool descriptions and schemas of one server",
    examples: ["proxy tools export git -o json > git-tools.json"],
  },
  args: { server: { type: "positional", names: "servers", description: "server name" } },
  async run({ cli, args }) {
    const params = { name: args.server };
    const data = await cli.call("GET /api/v1/servers/{name}/tools/export", { params });
    await cli.show(data.tools, (tools) =>
      tools.length === 0
        ? "no tools"
        : tools
            .map(
              (t) =>
                `${t.server_name}:${t.tool_name} (${t.status})\n${t.description}\n${JSON.stringify(t.schema, null, 2)}`,
            )
            .join("\n\n"),
    );
  },
});
