import { command } from "../../command.ts";

export default command({
  meta: { description: "Find tools by what they do, as MCP clients do", examples: ["proxy tools search read a file"] },
  args: {
    words: { type: "positional", description: "search words", many: true },
    limit: { type: "string", number: true, alias: "n", description: "maximum number of entries (10)" },
    offset: { type: "string", number: true, min: 0, description: "number of best matches to skip" },
  },
  async run({ cli, args }) {
    const query = { q: args.words.join(" "), limit: String(args.limit ?? 10), offset: String(args.offset ?? 0) };
    const { results, notice, has_more: more, offset } = await cli.call("GET /api/v1/index/search", { query });
    await cli.show(results, () => ({
      columns: ["score", "tool", "description"],
      whole: ["tool"],
      rows: results.map(({ score, tool }) => [score.toFixed(2), `${tool.server_name}:${tool.name}`, tool.description]),
      empty: "no matching tools",
    }));
    if (more) cli.note(`more results; continue with --offset ${offset + results.length}`);
    if (notice) cli.note(notice);
  },
});
