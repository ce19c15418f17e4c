import { command } from "../../command.ts";
import { describe } from "../../sign-in.ts";

export default command({
  meta: {
    description: "Show the sign-in state of upstream servers",
    examples: ["proxy auth status", "proxy auth status --server linear"],
  },
  args: { server: { type: "string", alias: "s", names: "servers", description: "only this server" } },
  async run({ cli, args }) {
    const { servers } = await cli.call("GET /api/v1/servers", {});
    const remote = servers.filter(({ url }) => url !== undefined).map(({ name }) => name);
    const names = args.server === undefined ? remote : [args.server];
    const all = await Promise.all(
      names.map((name) => cli.call("GET /api/v1/servers/{name}/login", { params: { name } })),
    );
    await cli.show(all, (list) => list.map(describe).join("\n") || "no remote servers");
  },
});
