import { command } from "../../command.ts";

export default command({
  meta: { description: "Clear the cache of a registry, so that the next search reads it again" },
  args: { id: { type: "positional", names: "registries", description: "id from `proxy registry list`" } },
  async run({ cli, args: { id } }) {
    const done = await cli.call("POST /api/v1/registries/{id}/refresh", { params: { id } });
    await cli.show(done, ({ cleared }) => `cleared ${cleared} cached response(s) of ${id}`);
  },
});
