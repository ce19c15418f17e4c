import { command } from "../../command.ts";

export default command({
  meta: { description: "Let scans use a scanner" },
  args: { scanner: { type: "positional", description: "as `proxy security scanners` shows it" } },
  async run({ cli, args }) {
    const done = await cli.call("POST /api/v1/security/scanners/{id}/enable", { params: { id: args.scanner } });
    await cli.show(done, ({ id }) => `enabled ${id}`);
  },
});
