import { requireLocal, runningProxy } from "../../background/running.ts";
import { command } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { isInstalled } from "../../service/installed.ts";
import { ownService } from "../../service/own-service.ts";
import { runTool } from "../../service/run-tool.ts";

export default command({
  meta: {
    description: "Show whether the service is installed and runs",
    detail: `Exit codes: 0 it runs; ${EXIT.failed} it does not.`,
  },
  async run({ cli }) {
    requireLocal(cli);
    const service = await ownService(cli);
    const installed = await isInstalled(cli, service);
    const active = installed && (await runTool(service.isActive, cli)).code === 0;
    const running = await runningProxy(cli);
    const { name, manager, file } = service;
    const answer = { name, manager, installed, active, answers: running !== undefined, file: file?.path ?? "" };
    await cli.show(answer, () =>
      [
        `${name} (${manager}): ${installed ? (active ? "active" : "installed, not active") : "not installed"}`,
        ...(running ? [`proxy ${running.version} answers, process ${running.pid}`] : ["no proxy answers"]),
        ...(running && !active ? ["the running proxy does not belong to this service"] : []),
      ].join("\n"),
    );
    return active ? EXIT.ok : EXIT.failed;
  },
});
