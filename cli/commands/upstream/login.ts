import { durationMs } from "#lib/core/base/clock.ts";
import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";
import { signIn } from "../../sign-in.ts";

export default command({
  meta: {
    description: "Sign in at an upstream server (OAuth)",
    detail:
      "Opens the browser where there is one, else shows the address to open. When the browser is on another machine, it\nends at an address of this one that it cannot reach: give that whole address here, or to --paste, which finishes the\nsign-in that is under way and begins one where none is.",
    examples: ["proxy upstream login linear", "proxy upstream login linear --paste"],
  },
  args: {
    name: { type: "positional", description: "server name" },
    paste: { type: "boolean", description: "ask for the address the browser ended at, which may also be piped in" },
    browser: { type: "boolean", description: "open the browser (yes; --no-browser shows the address only)" },
    wait: { type: "boolean", description: "wait until somebody has signed in (yes)" },
    timeout: { type: "string", description: "longest wait (10m)" },
  },
  async run({ cli, args }) {
    const timeoutMs = durationMs(args.timeout ?? "10m");
    if (timeoutMs === undefined) throw new UsageError("--timeout must be a duration such as 5m");
    const { paste, browser, wait } = args;
    return await signIn(cli, args.name, { paste, browser, wait, timeoutMs });
  },
});
