import { requireLocal } from "../../background/running.ts";
import { command } from "../../command.ts";
import { requireService } from "../../service/require-service.ts";
import { requireTool } from "../../service/run-tool.ts";

export default command({
  meta: { description: "Stop the service until the next sign-in or start" },
  async run({ cli }) {
    requireLocal(cli);
    const { name, stop } = await requireService(cli);
    await requireTool(stop, cli);
    await cli.show({ name, stopped: true }, () => `stopped the service ${name}`);
  },
});
