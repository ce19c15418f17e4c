import { command } from "../../command.ts";
import { userId } from "../../user-id.ts";

export default command({
  meta: { description: "Enable a disabled user, who must sign in again" },
  args: { user: { type: "positional", description: "e-mail address, or id if several users share it" } },
  async run({ cli, args }) {
    const id = await userId(cli, args.user);
    const done = await cli.call("POST /api/v1/admin/users/{id}/enable", { params: { id } });
    await cli.show(done, () => done.message);
  },
});
