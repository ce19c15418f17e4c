import { command } from "../../command.ts";
import { SERVER_LOG_ARGS, serverLog } from "../../server-log.ts";

export default command({
  meta: {
    description: "Show the log of an upstream server: its output and connection events",
    examples: ["proxy upstream logs git -n 200", "proxy upstream logs git --follow --level warn"],
  },
  args: { name: { type: "positional", names: "servers", description: "server name" }, ...SERVER_LOG_ARGS },
  run: ({ cli, args }) => serverLog(cli, args.name, args),
});
