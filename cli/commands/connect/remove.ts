import { command } from "../../command.ts";

export default command({
  meta: { description: "Disconnect a client: take the entry out of its configuration and end its token" },
  args: {
    client: { type: "positional", description: "client id, as `proxy connect list` shows it" },
    name: { type: "string", alias: "n", valueHint: "name", description: "what the entry is called (mcpproxy)" },
  },
  async run({ cli, args: { client, name } }) {
    const done = await cli.call("DELETE /api/v1/connect/{client}", {
      params: { client },
      query: { ...(name !== undefined && { server_name: name }) },
    });
    await cli.show(done, (d) => d.message);
  },
});
