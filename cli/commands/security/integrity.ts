import { command } from "../../command.ts";

export default command({
  meta: {
    description: "Compare servers with their approved state and the lock file",
    detail:
      "Exit codes: 0 no difference; 11 differences; 20 incomplete comparison.\n" +
      "To approve the current state: proxy security approve <server>",
    examples: ["proxy security integrity git", "proxy security integrity"],
  },
  args: { server: { type: "positional", required: false, names: "servers", description: "server name (all)" } },
  async run({ cli, args }) {
    const names =
      args.server === undefined
        ? (await cli.call("GET /api/v1/servers", { query: {} })).servers.map(({ name }) => name)
        : [args.server];
    const found = await Promise.all(
      names.map((name) => cli.call("GET /api/v1/servers/{name}/integrity", { params: { name } })),
    );
    await cli.show(args.server === undefined ? found : found[0]!, () => ({
      columns: ["server", "status", "against", "item", "at", "what"],
      rows: found.flatMap(({ server_name, status, differences }) =>
        differences.length === 0
          ? [[server_name, status]]
          : differences.map((d) => [server_name, status, d.against, d.tool ?? d.item, d.at, d.what]),
      ),
      empty: "no servers",
    }));
    for (const { server_name, unverified } of found) for (const what of unverified) cli.note(`${server_name}: ${what}`);
    if (found.some(({ status }) => status === "changed")) return 11;
    return found.some(({ status }) => status !== "intact") ? 20 : 0;
  },
});
