import { command } from "../../command.ts";
import { withoutDaemon } from "../../without-daemon.ts";

export default command({
  meta: {
    description: "Make an earlier configuration the present one",
    detail:
      "What it replaces stays in the history, so it can be taken back the same way. Without a running proxy the file itself is\n" +
      "replaced; one that cannot be used is kept beside it.",
    examples: ["proxy config restore 12"],
  },
  args: {
    version: { type: "positional", description: "number from `proxy config history`" },
    force: { type: "boolean", description: "replace a file that was edited by hand and cannot be used" },
  },
  async run({ cli, args: { version, force } }) {
    const done = await withoutDaemon(
      cli,
      () =>
        cli.call("POST /api/v1/config/history/{version}/restore", {
          params: { version },
          ...(force && { body: { force } }),
        }),
      async (config, log) => {
        const { restoreOffline } = await import("#lib/core/config/offline.ts");
        const replaced = await restoreOffline(config, version, log);
        const aside = replaced === undefined ? "" : `; the broken file is kept as ${replaced}`;
        const message = `version ${version} is in ${config.path} and counts from the next start${aside}`;
        return { success: true, message, ...(replaced !== undefined && { replaced }) };
      },
    );
    await cli.show(done, ({ message }) => message);
  },
});
