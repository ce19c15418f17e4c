import { isTerminal } from "../ask.ts";
import { command } from "../command.ts";
import { EXIT } from "../exit.ts";
import { listWaiting } from "../review/list-waiting.ts";
import { reviewServer } from "../review/review-server.ts";

export default command({
  meta: {
    group: "servers",
    description: "Review what waits: servers, tools, prompts and resources, one by one",
    detail:
      "Approve, block or skip each item. Each answer takes effect at once; Ctrl-C keeps the answers given so far. Without a terminal, or with --list, the command only lists the items.",
    examples: ["proxy review", "proxy review git", "proxy review --list -o json"],
  },
  args: {
    servers: { type: "positional", required: false, many: true, names: "servers", description: "only these servers" },
    list: { type: "boolean", description: "only list what is waiting for review" },
  },
  async run({ cli, args: { servers, list } }) {
    const waiting = await listWaiting(cli, servers);
    if (list || !isTerminal(cli) || cli.globals.output !== "table") {
      const rows = waiting.flatMap(({ server, state, why, tools, items }) => [
        ...(state === "released" ? [] : [{ server: server.name, kind: "", tool: "", state, detail: why }]),
        ...[...tools, ...items].map((one) => ({
          server: server.name,
          kind: "kind" in one ? one.kind : "tool",
          tool: one.name,
          state: one.approval_status,
          detail: one.scan && one.scan.verdict !== "clean" ? one.scan.verdict : "",
        })),
      ]);
      await cli.show(rows, () => ({
        columns: ["server", "kind", "name", "state", "detail"],
        whole: ["server", "name"],
        rows: rows.map((row) => [row.server, row.kind, row.tool, row.state, row.detail]),
        empty: "nothing to review",
      }));
      return EXIT.ok;
    }
    const tally = { approved: 0, blocked: 0, skipped: 0 };
    for (const one of waiting) if ((await reviewServer(cli, one, tally)) === "quit") break;
    const { approved, blocked, skipped } = tally;
    await cli.show(tally, () =>
      waiting.length === 0 ? "nothing to review" : `${approved} approved, ${blocked} blocked, ${skipped} skipped`,
    );
    return EXIT.ok;
  },
});
