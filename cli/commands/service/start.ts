import { requireLocal } from "../../background/running.ts";
import { runningText } from "../../background/running-text.ts";
import { command } from "../../command.ts";
import { serviceAct } from "../../service/act.ts";
import { requireService } from "../../service/require-service.ts";

export default command({
  meta: { description: "Start the service, and wait until the proxy answers" },
  async run({ cli }) {
    requireLocal(cli);
    const running = await serviceAct(cli, await requireService(cli), "start");
    await cli.show(running, () => runningText(cli, running, "is running"));
  },
});
