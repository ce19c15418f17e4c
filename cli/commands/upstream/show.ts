import { stringify } from "yaml";
import { command } from "../../command.ts";

export default command({
  meta: { description: "Show all settings of an upstream server, with secrets masked" },
  args: { name: { type: "positional", names: "servers", description: "server name" } },
  async run({ cli, args: { name } }) {
    const server = await cli.call("GET /api/v1/servers/{name}", { params: { name } });
    await cli.show(server, (record) => stringify(record, { lineWidth: 0 }).trimEnd());
  },
});
