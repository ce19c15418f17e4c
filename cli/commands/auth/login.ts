import { durationMs } from "#lib/base/clock.ts";
import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";
import { signIn } from "../../sign-in.ts";

export default command({
  meta: {
    description: "Sign in at an upstream server; as `proxy upstream login`",
    examples: ["proxy auth login --server linear"],
  },
  args: {
    server: { type: "string", alias: "s", description: "server name" },
    timeout: { type: "string", description: "longest wait (5m)" },
  },
  async run({ cli, args }) {
    const timeoutMs = durationMs(args.timeout ?? "5m");
    if (args.server === undefined) throw new UsageError("name the server with --server");
    if (timeoutMs === undefined) throw new UsageError("--timeout must be a duration such as 5m");
    return await signIn(cli, args.server, { paste: false, browser: true, wait: true, timeoutMs });
  },
});
