import { command } from "../../command.ts";

export default command({
  meta: { description: "Remove a registry that was added; servers installed from it stay" },
  args: { id: { type: "positional", description: "as `proxy registry list` shows it" } },
  async run({ cli, args: { id } }) {
    const done = await cli.call("DELETE /api/v1/registries/{id}", { params: { id } });
    await cli.show(done, () => `removed registry ${id}`);
  },
});
