import { command } from "../../command.ts";

export default command({
  meta: { description: "End a user's browser session at once" },
  args: { session: { type: "positional", description: "id from `proxy team sessions`" } },
  async run({ cli, args }) {
    const done = await cli.call("DELETE /api/v1/admin/sessions/{id}", { params: { id: args.session } });
    await cli.show(done, () => `signed out: ${done.id}`);
  },
});
