import { Fault } from "#lib/core/base/fault.ts";
import { command } from "../command.ts";
import { version } from "../version.ts";

/** How long the running proxy may take to answer (ms). */
const TIMEOUT_MS = 2000;

export default command({
  meta: {
    group: "program",
    description: "Show the version of this program",
    detail: "Notes on standard error if the running proxy has another version.",
  },
  async run({ cli }) {
    const running = await cli.call("GET /api/v1/status", {}, { timeoutMs: TIMEOUT_MS }).then(
      (status) => status.version,
      (error) => {
        if (cli.signal.aborted || !(error instanceof Fault)) throw error;
        return undefined;
      },
    );
    await cli.show({ version, ...(running !== undefined && { running }) }, () => version);
    if (running !== undefined && running !== version)
      cli.note(`the running proxy has version ${running}; restart it to use this one: ${cli.self} restart`);
  },
});
