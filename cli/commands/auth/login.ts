import { durationMs } from "#lib/core/base/clock.ts";
import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";
import { signIn } from "../../sign-in.ts";

export default command({
  meta: {
    description: "Sign in to an upstream server; same as `proxy upstream login`",
    examples: ["proxy auth login --server linear"],
  },
  args: {
    server: { type: "string", alias: "s", names: "servers", description: "server name" },
    paste: { type: "boolean", description: "ask for the last address of the browser, or read it from standard input" },
    browser: { type: "boolean", description: "open the browser (yes); --no-browser: only show the address" },
    wait: { type: "boolean", description: "wait until the sign-in is finished (yes)" },
    timeout: { type: "string", description: "maximum wait (10m)" },
  },
  async run({ cli, args }) {
    const timeoutMs = durationMs(args.timeout ?? "10m");
    if (args.server === undefined) throw new UsageError("name the server with --server");
    if (timeoutMs === undefined) throw new UsageError("--timeout must be a duration such as 5m");
    const { paste, browser, wait } = args;
    return await signIn(cli, args.server, { paste, browser, wait, timeoutMs });
  },
});
