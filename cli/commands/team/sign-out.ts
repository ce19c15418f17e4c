import { command } from "../../command.ts";

export default command({
  meta: { description: "Sign a user's browser out at once" },
  args: { session: { type: "positional", description: "id, as `proxy team sessions` shows it" } },
  async run({ cli, args }) {
    const done = await cli.call("DELETE /api/v1/admin/sessions/{id}", { params: { id: args.session } });
    await cli.show(done, () => `signed out: ${done.id}`);
  },
});
