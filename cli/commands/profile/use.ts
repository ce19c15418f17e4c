import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";

export default command({
  meta: {
    description: "Choose the default profile of views",
    detail:
      "This does not limit clients. To limit a client, use an agent token (--profile) or the path /mcp/p/{profile}.",
    examples: ["proxy profile use work", "proxy profile use --all"],
  },
  args: {
    name: { type: "positional", required: false, names: "profiles", description: "name of a profile" },
    all: { type: "boolean", description: "show all servers" },
  },
  async run({ cli, args: { name, all = false } }) {
    if (all === (name !== undefined)) throw new UsageError("name a profile or use --all");
    const done = await cli.call("PUT /api/v1/profiles/active", { body: { profile: name ?? "" } });
    await cli.show(done, ({ active_profile }) =>
      active_profile === "" ? "views show all servers" : `views show profile ${active_profile}`,
    );
  },
});
