import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "#lib/base/clock.ts";
import { openStore } from "#lib/store/open.ts";
import { loadSqlite } from "#lib/store/sqlite/load.ts";
import { heardLog } from "#test/kit/log.ts";
import { activityRecord } from "#test/kit/store.ts";

const dir = mkdtempSync(join(tmpdir(), "proxy-"));
const store = await openStore({ dir, clock: systemClock, log: heardLog("error"), sqlite: await loadSqlite() });
const now = Date.now();
let have = 0;
for (const rows of [100_000, 1_000_000]) {
  const cpu0 = process.cpuUsage();
  for (; have < rows; ) {
    const adds = [];
    for (let k = 0; k < 5000; k++, have++)
      adds.push(
        store.activity.add(
          activityRecord({
            at: now - 29 * 86_400_000 + Math.floor((have * 2654435761) % (28 * 86_400_000)),
            server_name: `s${have % 50}`,
            tool_name: `t${have % 500}`,
            duration_ms: have % 900,
          }),
        ),
      );
    await Promise.all(adds);
  }
  console.log(rows, "filled", (process.cpuUsage(cpu0).user / 1e6).toFixed(1));
  for (const [name, by] of [
    ["summary", {}],
    ["usage", { duration: true, slotMs: 86_400_000 }],
  ] as const)
    for (const after of [now - 30 * 86_400_000, now - 7 * 86_400_000]) {
      const cpu = process.cpuUsage();
      const t = performance.now();
      let worst = 0,
        last = performance.now(),
        n = 0,
        groups = 0;
      for await (const g of store.activity.tally({ after }, by)) {
        groups++;
        n += g.count;
        const d = performance.now();
        if (d - last > worst) worst = d - last;
        last = d;
      }
      const { user, system } = process.cpuUsage(cpu);
      console.log(
        rows,
        name,
        Math.round((now - after) / 86_400_000),
        "days",
        n,
        "rows",
        groups,
        "groups",
        ((user + system) / 1000).toFixed(0),
        "ms CPU",
        (performance.now() - t).toFixed(0),
        "ms wall, longest gap",
        worst.toFixed(1),
      );
    }
}
await store.close();
rmSync(dir, { recursive: true, force: true });
