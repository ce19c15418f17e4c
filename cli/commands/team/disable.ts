import { command } from "../../command.ts";
import { userId } from "../../user-id.ts";

export default command({
  meta: { description: "Shut a user out at once: browsers, bearer tokens and streams end, agent tokens rest" },
  args: { user: { type: "positional", description: "address, or id where several have the address" } },
  async run({ cli, args }) {
    const id = await userId(cli, args.user);
    const done = await cli.call("POST /api/v1/admin/users/{id}/disable", { params: { id } });
    await cli.show(done, () => done.message);
  },
});
