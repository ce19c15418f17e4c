import { command } from "../../command.ts";

export default command({
  meta: { description: "Ask a registry anew at the next search" },
  args: { id: { type: "positional", description: "as `proxy registry list` shows it" } },
  async run({ cli, args: { id } }) {
    const done = await cli.call("POST /api/v1/registries/{id}/refresh", { params: { id } });
    await cli.show(done, ({ cleared }) => `${id} is asked anew; ${cleared} answer(s) count no more`);
  },
});
