import { command } from "../../command.ts";

export default command({
  meta: { description: "Quarantine a server and block its pending tools" },
  args: { server: { type: "positional", names: "servers", description: "server name" } },
  async run({ cli, args }) {
    const done = await cli.call("POST /api/v1/servers/{name}/security/reject", { params: { name: args.server } });
    await cli.show(done, ({ server_name }) => `rejected ${server_name}`);
  },
});
