import { command } from "../../command.ts";
import { EXIT } from "../../exit.ts";

/** How long the slowest server may take. (ms) */
const TIMEOUT_MS = 60_000;

export default command({
  meta: {
    description: "Connect to every enabled server that is not connected; live connections are left alone",
    detail: "Exit codes: 0 all are connected; 1 some could not be, and each says why.",
  },
  async run({ cli }) {
    const done = await cli.call("POST /api/v1/servers/reconnect", {}, { timeoutMs: TIMEOUT_MS });
    await cli.show(done, ({ servers }) => servers.map((s) => `${s.server}: ${s.message}`).join("\n") || "no servers");
    return done.failed > 0 ? EXIT.failed : EXIT.ok;
  },
});
