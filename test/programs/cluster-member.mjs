// @ts-check
/**
 * One process of a cluster, for tests: `cluster-member.mjs BUNDLE ROLE OPTIONS`. It prints one line of JSON for each
 * thing that the test wants to know.
 */
import { appendFileSync } from "node:fs";
import { createRequire } from "node:module";

const [bundle = "", role = "", text = "{}"] = process.argv.slice(2);
const cluster = createRequire(import.meta.url)(bundle);
const options = JSON.parse(text);
const say = (/** @type {unknown} */ line) => console.log(JSON.stringify(line));
const open = (more = {}) => cluster.openDatabase(cluster.databaseTarget(options.url), { name: options.id, ...more });

/** @type {Record<string, () => Promise<void>>} */
const roles = {
  async steps() {
    const database = open();
    say(await cluster.applySteps(database, options.steps, { id: options.id }));
    database.close();
  },

  /** Changes random rows, then prints its view whenever a line comes in. */
  async writer() {
    const { id, rounds } = options;
    const database = open({ timeoutMs: 3000 });
    const onError = () => {};
    const follower = cluster.followRevisions(database, { name: id, onError });
    const table = {
      topic: "things",
      table: "thing",
      key: ["name"],
      columns: { name: "text", value: "bigint" },
      toCells: (/** @type {any} */ row) => row,
      fromCells: (/** @type {any} */ cells) => cells,
    };
    const view = cluster.createView(database, table);
    await follower.follow(view);
    let failed = 0;
    for (let n = 0; n < rounds; n++) {
      const name = `n${Math.floor(Math.random() * 20)}`;
      try {
        await database.transact(async (/** @type {any} */ sql) => {
          const rev = await cluster.nextRevision(sql, "things");
          if (Math.random() < 0.2) await cluster.removeRows(sql, table, [[name]], rev);
          else await cluster.putRows(sql, table, [{ name, value: rev }], rev);
        });
      } catch {
        failed++;
        await new Promise((done) => setTimeout(done, 100));
      }
    }
    say({ failed });
    process.stdin.on("data", () => {
      const rows = view.all().sort((/** @type {any} */ a, /** @type {any} */ b) => (a.name < b.name ? -1 : 1));
      say({ rows, rev: view.revision(), counts: follower.counts });
    });
  },

  /** Adds records until it is killed, and prints the number of each that is kept. */
  async recorder() {
    const { id, dir } = options;
    const queue = await cluster.openRecordQueue(open(), {
      dir,
      sizeOf: () => 200,
      onError: () => {},
      insert: (/** @type {any} */ sql, /** @type {any[]} */ records) =>
        sql("insert into record select * from unnest($1::text[]) on conflict do nothing", [
          records.map((one) => one.id),
        ]),
    });
    for (let n = 0; ; n++) {
      void queue.add({ id: `${id}-${n}` }).then((/** @type {boolean} */ kept) => kept && say({ kept: n }));
      if (n % 5 === 0) await new Promise((done) => setTimeout(done, 2));
    }
  },

  /** Takes a lease again and again, and appends a line to a file for each act while it holds it. */
  async leaser() {
    const { id, file, ttlMs } = options;
    const database = open();
    for (;;) {
      const request = { name: "child", holder: id, ttlMs };
      const lease = await cluster.waitForLease(database, request, AbortSignal.timeout(60_000)).catch(() => undefined);
      const acts = 5 + Math.random() * 40;
      for (let n = 0; n < acts && lease; n++) {
        // The act counts for this moment: a process can be stopped between the check and the act.
        const at = cluster.monotonicMs();
        if (lease.lost.aborted || at >= lease.until()) break;
        appendFileSync(file, `${at} ${lease.token} ${id}\n`);
        await new Promise((done) => setTimeout(done, 10));
      }
      await lease?.release().catch(() => {});
    }
  },
};

await roles[role]?.();
