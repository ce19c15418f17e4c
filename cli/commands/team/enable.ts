import { command } from "../../command.ts";
import { userId } from "../../user-id.ts";

export default command({
  meta: { description: "Let a disabled user in again, who signs in anew" },
  args: { user: { type: "positional", description: "address, or id where several have the address" } },
  async run({ cli, args }) {
    const id = await userId(cli, args.user);
    const done = await cli.call("POST /api/v1/admin/users/{id}/enable", { params: { id } });
    await cli.show(done, () => done.message);
  },
});
