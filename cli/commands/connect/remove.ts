import { command } from "../../command.ts";

export default command({
  meta: { description: "Disconnect a client: remove its entry and revoke its token" },
  args: {
    client: { type: "positional", names: "clients", description: "client id from `proxy connect list`" },
    name: { type: "string", alias: "n", valueHint: "name", description: "name of the entry (mcpproxy)" },
  },
  async run({ cli, args: { client, name } }) {
    const done = await cli.call("DELETE /api/v1/connect/{client}", {
      params: { client },
      query: { ...(name !== undefined && { server_name: name }) },
    });
    await cli.show(done, (d) => d.message);
  },
});
