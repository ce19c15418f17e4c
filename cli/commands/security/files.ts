import { command } from "../../command.ts";

export default command({
  meta: {
    description: "List the files read by the last scan of a server",
    examples: ["proxy security files git --suspicious"],
  },
  args: {
    server: { type: "positional", names: "servers", description: "server name" },
    suspicious: { type: "boolean", description: "only files with findings" },
    limit: { type: "string", number: true, valueHint: "n", description: "maximum number of files (100)" },
    offset: { type: "string", number: true, min: 0, valueHint: "n", description: "number of files to skip" },
  },
  async run({ cli, args }) {
    const page = await cli.call("GET /api/v1/servers/{name}/scan/files", {
      params: { name: args.server },
      query: {
        suspicious_only: args.suspicious ? "true" : "false",
        ...(args.limit !== undefined && { limit: String(args.limit) }),
        ...(args.offset !== undefined && { offset: String(args.offset) }),
      },
    });
    await cli.show(page, ({ files }) => ({
      columns: ["file", "bytes", "findings"],
      rows: files.map((f) => [f.path, f.size, f.findings.map(({ rule_id }) => rule_id).join(" ")]),
      empty: "no files",
    }));
    if (page.has_more) cli.note(`more files: --offset ${page.offset + page.files.length}`);
  },
});
