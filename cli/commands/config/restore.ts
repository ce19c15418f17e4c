import { command } from "../../command.ts";
import { withoutDaemon } from "../../without-daemon.ts";

export default command({
  meta: {
    description: "Restore an earlier configuration",
    detail:
      "The replaced configuration stays in the history, so you can undo a restore. Without a running proxy, the command\n" +
      "replaces the file; an invalid file is kept beside the new one.",
    examples: ["proxy config restore 12"],
  },
  args: {
    version: { type: "positional", description: "version number from `proxy config history`" },
    force: { type: "boolean", description: "replace an invalid file that was edited by hand" },
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
        const { restoreOffline } = await import("#lib/read-config.ts");
        const replaced = await restoreOffline(config, version, log);
        const aside = replaced === undefined ? "" : `; the invalid file is kept as ${replaced}`;
        const message = `version ${version} is restored to ${config.path} and takes effect at the next start${aside}`;
        return { success: true, message, ...(replaced !== undefined && { replaced }) };
      },
    );
    await cli.show(done, ({ message }) => message);
  },
});
