import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";

export default command({
  meta: { description: "Cancel the scan of one server or all servers" },
  args: {
    server: { type: "positional", required: false, names: "servers", description: "server name" },
    all: { type: "boolean", description: "cancel the scans of all servers" },
  },
  async run({ cli, args }) {
    if ((args.server === undefined) === (args.all !== true)) throw new UsageError("name a server or use --all");
    const done =
      args.server === undefined
        ? await cli.call("POST /api/v1/security/cancel-all", {})
        : await cli.call("POST /api/v1/servers/{name}/scan/cancel", { params: { name: args.server } });
    await cli.show(done, () => "cancelled");
  },
});
