import { durationMs } from "#lib/core/base/clock.ts";
import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";
import { signIn } from "../../sign-in.ts";

export default command({
  meta: {
    description: "Sign in to an upstream server (OAuth)",
    detail:
      "Opens the browser, or shows the address to open. A browser on another machine ends at an address that it cannot\nreach: paste that whole address here, or pass it to --paste, which finishes the sign-in in progress or starts a new one.",
    examples: ["proxy upstream login linear", "proxy upstream login linear --paste"],
  },
  args: {
    name: { type: "positional", names: "servers", description: "server name" },
    paste: { type: "boolean", description: "ask for the last address of the browser, or read it from standard input" },
    browser: { type: "boolean", description: "open the browser (yes); --no-browser: only show the address" },
    wait: { type: "boolean", description: "wait until the sign-in is finished (yes)" },
    timeout: { type: "string", description: "maximum wait (10m)" },
  },
  async run({ cli, args }) {
    const timeoutMs = durationMs(args.timeout ?? "10m");
    if (timeoutMs === undefined) throw new UsageError("--timeout must be a duration such as 5m");
    const { paste, browser, wait } = args;
    return await signIn(cli, args.name, { paste, browser, wait, timeoutMs });
  },
});
