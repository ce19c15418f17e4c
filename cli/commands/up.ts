import { requireLocal, runningProxy } from "../background/running.ts";
import { runningText } from "../background/running-text.ts";
import { startInBackground } from "../background/start.ts";
import { command } from "../command.ts";
import { serviceAct } from "../service/act.ts";
import { installedService } from "../service/installed.ts";

export default command({
  meta: {
    group: "run",
    description: "Start the proxy in the background",
    detail:
      "Waits until the proxy answers, or shows why it does not start. Starts the service if `proxy service install` installed one. Words after -- are flags of `proxy serve`. The log is in the data directory: see `proxy logs`.",
    examples: ["proxy up", "proxy up -- --listen 127.0.0.1:9000"],
  },
  rest: "flags of proxy serve",
  async run({ cli, rest }) {
    requireLocal(cli);
    const before = await runningProxy(cli);
    if (before) {
      await cli.show({ ...before, started: false }, () => runningText(cli, before, "is already running"));
      return;
    }
    const service = await installedService(cli);
    const running = service ? await serviceAct(cli, service, "start") : await startInBackground(cli, rest);
    await cli.show({ ...running, started: true }, () => runningText(cli, running, "is running"));
    if (service && rest.length > 0) cli.note("the service runs with its own flags; the words after -- were ignored");
  },
});
