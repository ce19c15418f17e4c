import { command } from "../../command.ts";

export default command({
  meta: { description: "Enable a scanner" },
  args: { scanner: { type: "positional", description: "id from `proxy security scanners`" } },
  async run({ cli, args }) {
    const done = await cli.call("POST /api/v1/security/scanners/{id}/enable", { params: { id: args.scanner } });
    await cli.show(done, ({ id }) => `enabled ${id}`);
  },
});
