import { Fault } from "#lib/core/base/fault.ts";
import { command } from "../command.ts";
import { openBrowser } from "../open-browser.ts";

export default command({
  meta: {
    group: "run",
    description: "Open the control panel, signed in",
    detail: "The link works once, within a minute, and does not contain the API key.",
    examples: ["proxy ui", "proxy ui --no-open"],
  },
  args: { open: { type: "boolean", description: "open a browser; --no-open: only print the link" } },
  async run({ cli, args }) {
    const { url, expires_at } = await cli.call("POST /ui/code", {});
    if (url === "") throw new Fault("no_listener");
    const opened = args.open !== false && cli.stderr.columns !== undefined && (await openBrowser(url));
    await cli.show({ url, expires_at, opened }, () => url);
    cli.note(opened ? "opened in your browser" : "open this link within a minute; it works once");
  },
});
