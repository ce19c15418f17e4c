import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";

export default command({
  meta: {
    description: "Choose the profile that views start with",
    detail: "It limits no client: for that there are tokens (--profile) and the path /mcp/p/{profile}.",
    examples: ["proxy profile use work", "proxy profile use --all"],
  },
  args: {
    name: { type: "positional", required: false, description: "name of a profile" },
    all: { type: "boolean", description: "all servers again" },
  },
  async run({ cli, args: { name, all = false } }) {
    if (all === (name !== undefined)) throw new UsageError("name a profile, or use --all");
    const done = await cli.call("PUT /api/v1/profiles/active", { body: { profile: name ?? "" } });
    await cli.show(done, ({ active_profile }) =>
      active_profile === "" ? "views start with all servers" : `views start with profile ${active_profile}`,
    );
  },
});
