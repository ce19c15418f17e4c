import { readBackgroundRecord } from "../background/record.ts";
import { requireLocal, runningProxy } from "../background/running.ts";
import { runningText } from "../background/running-text.ts";
import { startInBackground } from "../background/start.ts";
import { stopProcess } from "../background/stop.ts";
import { command } from "../command.ts";
import { localDataDir } from "../local-data-dir.ts";
import { serviceAct } from "../service/act.ts";
import { installedService } from "../service/installed.ts";

export default command({
  meta: {
    group: "run",
    description: "Restart the proxy that runs in the background",
    detail: "With the flags of `proxy up`, or as the installed service. Starts the proxy if none runs.",
  },
  async run({ cli }) {
    requireLocal(cli);
    const service = await installedService(cli);
    const before = await runningProxy(cli);
    const record = await readBackgroundRecord(await localDataDir(cli));
    if (before && !service && record?.pid !== before.pid)
      throw new Error(
        `the running proxy (process ${before.pid}) was not started by \`proxy up\`; restart it where it was started, or move it to the background with: ${cli.self} down && ${cli.self} up`,
      );
    if (before) await stopProcess(cli, before.pid);
    const running = service
      ? await serviceAct(cli, service, "start")
      : await startInBackground(cli, record?.args ?? []);
    await cli.show(running, () => runningText(cli, running, "is running"));
  },
});
