import { command } from "../../command.ts";

export default command({
  about: "Find tools by what they do, as MCP clients do",
  words: { words: { about: "what to look for", many: true } },
  flags: { limit: { type: "number", short: "n", about: "how many at most (10)" } },
  examples: ["proxy tools search read a file"],
  async run({ cli, words, flags }) {
    const query = { q: words.words.join(" "), limit: String(flags.limit ?? 10) };
    const { results } = await cli.call("GET /api/v1/index/search", { query });
    await cli.show(results, () => ({
      columns: ["score", "tool", "description"],
      rows: results.map(({ score, tool }) => [score.toFixed(2), `${tool.server_name}:${tool.name}`, tool.description]),
      empty: "nothing found; tools of quarantined servers are not searched",
    }));
  },
});
