import { requireLocal, runningProxy } from "../background/running.ts";
import { stopProcess } from "../background/stop.ts";
import { command } from "../command.ts";

export default command({
  meta: {
    group: "run",
    description: "Stop the running proxy",
    detail: "Waits until calls in progress and the servers have ended. A service starts again at the next sign-in.",
  },
  async run({ cli }) {
    requireLocal(cli);
    const running = await runningProxy(cli);
    if (running) await stopProcess(cli, running.pid);
    await cli.show({ stopped: running !== undefined }, () => (running ? "stopped" : "no proxy is running"));
  },
});
