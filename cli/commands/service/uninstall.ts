import { rm } from "node:fs/promises";
import { requireLocal } from "../../background/running.ts";
import { command } from "../../command.ts";
import { isInstalled } from "../../service/installed.ts";
import { ownService } from "../../service/own-service.ts";
import { runTool } from "../../service/run-tool.ts";

export default command({
  meta: { description: "Stop and remove the service; configuration and data stay" },
  args: { "dry-run": { type: "boolean", description: "only show what would be done" } },
  async run({ cli, args }) {
    requireLocal(cli);
    const service = await ownService(cli);
    const { name, file, uninstall } = service;
    const found = await isInstalled(cli, service);
    if (args["dry-run"] || !found) {
      const lines = [...uninstall.map((argv) => argv.join(" ")), ...(file ? [`remove ${file.path}`] : [])];
      const commands = found ? lines : [];
      await cli.show({ name, installed: found, commands }, () =>
        found ? lines.join("\n") : `the service ${name} is not installed`,
      );
      return;
    }
    for (const argv of uninstall) {
      const { code, text } = await runTool(argv, cli);
      // The service may be stopped or broken already; its description is removed in any case.
      if (code !== 0) cli.note(`${argv.join(" ")}: ${text}`);
    }
    if (file) await rm(file.path, { force: true });
    if (service.manager === "systemd") await runTool(["systemctl", "--user", "daemon-reload"], cli);
    await cli.show({ name, installed: false }, () => `removed the service ${name}; configuration and data stay`);
  },
});
