import { command } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** Timeout for the slowest server (ms). */
const TIMEOUT_MS = 60_000;

export default command({
  meta: {
    description: "Connect to every enabled server that is disconnected",
    detail:
      "Existing connections are not changed. Exit codes: 0 all servers are connected; 1 some are not, with the reason for each.",
  },
  async run({ cli }) {
    const done = await cli.call("POST /api/v1/servers/reconnect", {}, { timeoutMs: TIMEOUT_MS });
    await cli.show(done, ({ servers }) => servers.map((s) => `${s.server}: ${s.message}`).join("\n") || "no servers");
    return done.failed > 0 ? EXIT.failed : EXIT.ok;
  },
});
