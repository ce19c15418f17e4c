import { command } from "../../command.ts";

export default command({
  meta: {
    description: "List the files that the last scan of a server read",
    examples: ["proxy security files git --suspicious"],
  },
  args: {
    server: { type: "positional", description: "its name" },
    suspicious: { type: "boolean", description: "only those that something was found in" },
    limit: { type: "string", number: true, valueHint: "n", description: "how many (100)" },
    offset: { type: "string", number: true, valueHint: "n", description: "leave out so many" },
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
    if (page.has_more) cli.note(`there are more: --offset ${page.offset + page.files.length}`);
  },
});
