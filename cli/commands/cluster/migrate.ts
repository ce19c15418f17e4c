import { command } from "../../command.ts";
import { movedText } from "../../moved-text.ts";
import { offlineCluster } from "../../offline-cluster.ts";

export default command({
  meta: {
    description: "Move the data of this data directory to the cluster's database; the proxy must be stopped",
    detail:
      "The configuration file must have cluster.database_url and cluster.encryption_keys. The data directory is only read,\n" +
      "and stays as it is. If the command is interrupted, repeat it; it continues where it ended.",
    examples: ["proxy cluster migrate"],
  },
  args: {},
  async run({ cli }) {
    const { migrateToCluster } = await import("#lib/modules/cluster/migrate/run-migration.ts");
    const cluster = await offlineCluster(cli);
    const tables = await migrateToCluster(cluster, (table, rows) => cli.note(`${table}: ${rows} rows`));
    await cli.show({ tables }, () => movedText(tables, "start the replicas now"));
  },
});
