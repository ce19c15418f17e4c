import { command } from "../../command.ts";

export default command({
  meta: { description: "Leave a scanner out of scans that do not name it" },
  args: { scanner: { type: "positional", description: "as `proxy security scanners` shows it" } },
  async run({ cli, args }) {
    const done = await cli.call("POST /api/v1/security/scanners/{id}/disable", { params: { id: args.scanner } });
    await cli.show(done, ({ id }) => `disabled ${id}`);
  },
});
