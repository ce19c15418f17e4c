import { stringify } from "yaml";
import { command } from "../../command.ts";
import { withoutDaemon } from "../../without-daemon.ts";

export default command({
  meta: {
    description: "List earlier configurations, or show one with secrets masked",
    examples: ["proxy config history", "proxy config history 12"],
  },
  args: { version: { type: "positional", required: false, description: "version number from the list" } },
  async run({ cli, args: { version } }) {
    if (version !== undefined) {
      const old = await withoutDaemon(
        cli,
        () => cli.call("GET /api/v1/config/history/{version}", { params: { version } }),
        async (config, log) => {
          const { offlineVersion } = await import("#lib/read-config.ts");
          const { configVersionEntry, maskedDocument } = await import("#lib/core/verbs/settings/config-versions.ts");
          const stored = await offlineVersion(config, version, log);
          return { ...configVersionEntry(stored), config: maskedDocument(stored.document) };
        },
      );
      await cli.show(old, ({ config }) => stringify(config, { lineWidth: 0 }).trimEnd());
      return;
    }
    const { versions } = await withoutDaemon(
      cli,
      () => cli.call("GET /api/v1/config/history", {}),
      async (config, log) => {
        const { offlineVersions } = await import("#lib/read-config.ts");
        const { configVersionEntry } = await import("#lib/core/verbs/settings/config-versions.ts");
        return { versions: (await offlineVersions(config, log)).map(configVersionEntry) };
      },
    );
    await cli.show(versions, (rows) => ({
      columns: ["version", "since", "by", "changed"],
      rows: rows.map((v) => [
        v.version,
        v.timestamp,
        v.by,
        v.changed_fields
          .map((key) =>
            key === "mcpServers" && v.changed_servers?.length ? `${key}: ${v.changed_servers.join(" ")}` : key,
          )
          .join(", "),
      ]),
      empty: "no earlier configurations",
    }));
  },
});
