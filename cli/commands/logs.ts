import { command } from "../command.ts";
import { ownLog } from "../own-log.ts";
import { LOG_LINES, SERVER_LOG_ARGS, serverLog } from "../server-log.ts";

export default command({
  meta: {
    group: "watch",
    description: "Show the log of the proxy, or of one server",
    detail:
      "Without a server, the command reads the log file of the local proxy, which also works while no proxy runs.",
    examples: ["proxy logs --follow", "proxy logs git -n 200 --level warn"],
  },
  args: {
    server: { type: "positional", required: false, names: "servers", description: "server name" },
    ...SERVER_LOG_ARGS,
  },
  async run({ cli, args: { server, ...flags } }) {
    if (server !== undefined) return await serverLog(cli, server, flags);
    const { tail = LOG_LINES, level, follow = false } = flags;
    return await ownLog(cli, { tail, level, follow });
  },
});
