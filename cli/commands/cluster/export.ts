import { resolve } from "node:path";
import { command } from "../../command.ts";
import { movedText } from "../../moved-text.ts";
import { offlineCluster } from "../../offline-cluster.ts";

export default command({
  meta: {
    description: "Write the cluster's data to a new data directory; all replicas must be stopped",
    detail:
      "The new data directory has a database and a configuration file of its own, so a single proxy can run with it. The\n" +
      "cluster's database is only read.",
    examples: ["proxy cluster export /srv/proxy", "proxy serve -d /srv/proxy"],
  },
  args: {
    folder: { type: "positional", description: "the new data directory" },
  },
  async run({ cli, args: { folder } }) {
    const { exportFromCluster } = await import("#lib/modules/cluster/migrate/run-migration.ts");
    const dir = resolve(folder);
    const tables = await exportFromCluster(await offlineCluster(cli), dir);
    await cli.show({ tables }, () => movedText(tables, `start a proxy with: proxy serve -d ${dir}`));
  },
});
