import { command } from "../../command.ts";

export default command({
  meta: { description: "Disable a scanner, except for scans that name it" },
  args: { scanner: { type: "positional", description: "id from `proxy security scanners`" } },
  async run({ cli, args }) {
    const done = await cli.call("POST /api/v1/security/scanners/{id}/disable", { params: { id: args.scanner } });
    await cli.show(done, ({ id }) => `disabled ${id}`);
  },
});
