import { command } from "../../command.ts";
import { ownLog } from "../../own-log.ts";
import { LOG_LINES, SERVER_LOG_ARGS } from "../../server-log.ts";

export default command({
  meta: { description: "Show the log of the proxy, as proxy logs does", examples: ["proxy service logs -f"] },
  args: SERVER_LOG_ARGS,
  run: ({ cli, args: { tail = LOG_LINES, level, follow = false } }) => ownLog(cli, { tail, level, follow }),
});
