import { writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "#lib/core/base/folder.ts";
import { requireLocal, runningProxy } from "../../background/running.ts";
import { runningText } from "../../background/running-text.ts";
import { stopProcess } from "../../background/stop.ts";
import { command } from "../../command.ts";
import { quoted } from "../../self.ts";
import { serviceAct } from "../../service/act.ts";
import { ownService } from "../../service/own-service.ts";
import type { Service } from "../../service/service.ts";

export default command({
  meta: {
    description: "Install and start the service",
    detail:
      "A systemd user service on Linux, a launchd agent on macOS, a scheduled task on Windows. It needs no administrator and uses the current PATH, so that it finds npx and uvx. A running proxy of the same data directory is stopped first. With -d or -c, the service has a name of its own.",
    examples: ["proxy service install --dry-run", "proxy service install"],
  },
  args: { "dry-run": { type: "boolean", description: "only show the file and the commands" } },
  async run({ cli, args }) {
    requireLocal(cli);
    const service = await ownService(cli);
    if (args["dry-run"]) return cli.show(planOf(service), () => planText(service));
    const before = await runningProxy(cli);
    if (before) await stopProcess(cli, before.pid);
    if (service.file) {
      makeFolder(dirname(service.file.path), 0o755);
      await writeFile(service.file.path, service.file.text, { mode: 0o600 });
    }
    const running = await serviceAct(cli, service, "install");
    await cli.show({ ...running, name: service.name, file: service.file?.path ?? "" }, () =>
      [`installed the service ${service.name}`, runningText(cli, running, "is running")].join("\n"),
    );
    if (service.note) cli.note(service.note);
  },
});

const planOf = ({ name, manager, file, install }: Service) => ({
  name,
  manager,
  ...(file && { file }),
  commands: install,
});

function planText({ file, install }: Service): string {
  return [
    ...(file ? [`${file.path}:`, file.text.replace(/^(?=.)/gm, "  ")] : []),
    "Commands:",
    ...install.map((argv) => `  ${argv.map(quoted).join(" ")}`),
  ].join("\n");
}
