/**
 * `npm run torture -- kills [N] | updates [N] | restarts [N]`: kills replicas of a cluster at random, updates them one
 * after the other, or restarts their database, N times under load, and prints what happened as JSON. `TORTURE_MINUTES`
 * ends it earlier, and `TORTURE_LOGS` names a folder for the detailed logs of the replicas. Needs PostgreSQL. The
 * end-to-end tests run a few rounds of the first two.
 */
import { postgresPrograms, startPostgres } from "#test/kit/postgres.ts";
import type { Scope } from "#test/kit/program.ts";
import { killReplicas } from "./kill-replicas.ts";
import { restartDatabase } from "./restart-database.ts";
import { rollReplicas } from "./roll-replicas.ts";

const [what = "", count = "5"] = process.argv.slice(2);
if (!postgresPrograms) throw new Error("initdb was not found; install postgresql");
const ends: (() => unknown)[] = [];
const scope: Scope = { after: (end) => void ends.push(end) };
const endAt = Date.now() + Number(process.env.TORTURE_MINUTES ?? 600) * 60_000;
const mayGoOn = (done: number) => {
  process.stderr.write(`\r${done} of ${count}`);
  return Date.now() < endAt;
};
try {
  const server = await startPostgres((end) => void ends.push(end));
  const rounds = Number(count);
  const logs = process.env.TORTURE_LOGS;
  const outcome =
    what === "kills"
      ? await killReplicas(scope, server, { kills: rounds, mayGoOn, ...(logs !== undefined && { logs }) })
      : what === "updates"
        ? await rollReplicas(scope, server, { updates: rounds, mayGoOn })
        : what === "restarts"
          ? await restartDatabase(scope, server, { restarts: rounds, mayGoOn })
          : undefined;
  console.log(outcome ? JSON.stringify(outcome, null, 2) : "choose one of: kills, updates, restarts");
} finally {
  for (const end of ends.reverse()) await end();
}
process.exit(0);
