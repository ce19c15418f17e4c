import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";

export default command({
  meta: { description: "Cancel the scan of a server, or of all of them" },
  args: {
    server: { type: "positional", required: false, description: "its name" },
    all: { type: "boolean", description: "the scan of all servers" },
  },
  async run({ cli, args }) {
    if ((args.server === undefined) === (args.all !== true)) throw new UsageError("name a server, or give --all");
    const done =
      args.server === undefined
        ? await cli.call("POST /api/v1/security/cancel-all", {})
        : await cli.call("POST /api/v1/servers/{name}/scan/cancel", { params: { name: args.server } });
    await cli.show(done, () => "cancelled");
  },
});
