import { command } from "../../command.ts";

export default command({
  meta: { description: "Find tools by what they do, as MCP clients do", examples: ["proxy tools search read a file"] },
  args: {
    words: { type: "positional", description: "what to look for", many: true },
    limit: { type: "string", number: true, alias: "n", description: "how many at most (10)" },
  },
  async run({ cli, args }) {
    const query = { q: args.words.join(" "), limit: String(args.limit ?? 10) };
    const { results, notice } = await cli.call("GET /api/v1/index/search", { query });
    await cli.show(results, () => ({
      columns: ["score", "tool", "description"],
      rows: results.map(({ score, tool }) => [score.toFixed(2), `${tool.server_name}:${tool.name}`, tool.description]),
      empty: "nothing found",
    }));
    if (notice) cli.note(notice);
  },
});
