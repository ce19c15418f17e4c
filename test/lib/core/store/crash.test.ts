import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { DATABASE_FILE, openStore } from "#lib/core/store/open-store.ts";
import { loadSqlite } from "#lib/sqlite/load.ts";
import { handClock } from "#test/kit/clock.ts";
import { heardLog } from "#test/kit/log.ts";
import { temporaryFolder } from "#test/kit/store.ts";
import { bundleStore, STORE_WRITER } from "#test/kit/store-bundle.ts";

const ROUNDS = Number(process.env.STORE_KILL_ROUNDS ?? 12);
/** How many records the writer's sweeps leave. */
const KEPT = 200;

test(`a kill -9 at any moment loses nothing that was acknowledged (${ROUNDS} rounds)`, async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const bundle = await bundleStore(dir);
  const data = join(dir, "data");
  let acknowledged = 0;
  let sweeps = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const said = await writeAndKill(t, bundle, data, Math.random() * 250);
    for (const line of said) {
      if (line.startsWith("swept ")) sweeps++;
      else if (line !== "ready") acknowledged = Math.max(acknowledged, Number(line));
    }

    const { integrity, numbers, counted, last } = await readBack(data);

    assert.equal(integrity, "ok", `round ${round}`);
    assert.equal(counted, numbers.length, `round ${round}: the sums are not those of the records`);
    // A busy machine may kill the writer of a round before it has written anything.
    const newest = numbers.at(-1) ?? 0;
    assert.ok(newest >= acknowledged, `round ${round}: ${newest} of ${acknowledged} left`);
    if (newest === 0) continue;
    // Order is kept, so what is there has no hole, whatever a sweep took from its beginning.
    assert.deepEqual(numbers, range(numbers[0]!, newest), `round ${round}`);
    assert.ok(numbers.length >= Math.min(KEPT, acknowledged), `round ${round}: a sweep took too much`);
    assert.ok(last <= newest, `round ${round}: a later write is there without an earlier one`);
  }
  t.diagnostic(`${acknowledged} acknowledged records and ${sweeps} sweeps, none lost`);
  assert.ok(acknowledged > 0);
});

/** What a writer said until it was killed, `ms` after it was ready. */
function writeAndKill(t: TestContext, bundle: string, data: string, ms: number): Promise<string[]> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [STORE_WRITER, bundle, data], { stdio: ["ignore", "pipe", "inherit"] });
    t.after(() => child.kill("SIGKILL"));
    let said = "";
    let ready = false;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (!ready && said.includes("ready")) setTimeout(() => child.kill("SIGKILL"), ms);
      ready ||= said.includes("ready");
    });
    child.on("error", fail);
    child.on("close", (code) => {
      if (code !== null) return fail(new Error(`the writer ended by itself with ${code}`));
      // A line cut by the kill is no acknowledgement.
      done(said.split("\n").slice(0, -1));
    });
  });
}

async function readBack(data: string) {
  const store = await openStore({ dir: data, clock: handClock(), log: heardLog() });
  const numbers: number[] = [];
  for await (const record of store.activity.walk({})) numbers.push(record.at);
  const last = Number(store.meta.get("last") ?? 0);
  let counted = 0;
  for await (const { count } of store.activity.tally({}, {})) counted += count;
  await store.close();
  const { DatabaseSync } = await loadSqlite();
  const db = new DatabaseSync(join(data, DATABASE_FILE));
  const integrity = db.prepare("PRAGMA integrity_check").get()?.integrity_check;
  db.close();
  return { integrity, numbers: numbers.reverse(), counted, last };
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
