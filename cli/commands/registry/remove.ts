import { command } from "../../command.ts";

export default command({
  meta: { description: "Remove an added registry; servers installed from it stay" },
  args: { id: { type: "positional", description: "id from `proxy registry list`" } },
  async run({ cli, args: { id } }) {
    const done = await cli.call("DELETE /api/v1/registries/{id}", { params: { id } });
    await cli.show(done, () => `removed registry ${id}`);
  },
});
