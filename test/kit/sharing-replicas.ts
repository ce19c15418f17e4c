import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { type Database, openDatabase } from "#lib/modules/cluster/database.ts";
import { databaseTarget } from "#lib/modules/cluster/database-target.ts";
import type { TestOptions } from "./app.ts";
import { type Served, serve } from "./mcp.ts";

/** Replicas in one process that share a database and the processes of servers. */
interface SharingReplicas {
  readonly database: Database;
  /** The key of the cluster. */
  readonly key: Buffer;
  /** Starts one more replica and waits until its servers are connected. */
  replica(options: TestOptions): Promise<Served>;
}

/** @param watchdog command of a complete watchdog */
export function sharingReplicas(
  t: TestContext,
  { url, watchdog }: { url: string; watchdog: readonly string[] },
): SharingReplicas {
  const database = openDatabase(databaseTarget(url), { name: "sharing-replicas" });
  const key = randomBytes(32);
  t.after(() => database.close());
  return {
    database,
    key,
    replica: (options) =>
      serve(t, {
        ...options,
        connect: true,
        config: {
          cluster: {
            database_url: url,
            encryption_keys: [key.toString("base64")],
            replica_listen: "127.0.0.1:0",
          },
        },
        watchdogs: { complete: { command: watchdog } },
      }),
  };
}
