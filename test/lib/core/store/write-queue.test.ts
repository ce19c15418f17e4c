import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "#lib/core/base/clock.ts";
import type { DatabaseConnection } from "#lib/core/store/database-connection.ts";
import { tableQueue } from "#lib/core/store/table-queue.ts";
import { createWriteQueue } from "#lib/core/store/write-queue.ts";
import { type Files, hostFiles } from "#lib/sqlite/files.ts";
import { heardLog } from "#test/kit/log.ts";
import { activityRecord, approvalRow, putApprovals, testStore } from "#test/kit/store.ts";

/** A disk whose later syncs wait until they are let go. */
function slowDisk() {
  const waiting: (() => void)[] = [];
  let count = 0;
  let held = false;
  const files: Files = {
    ...hostFiles,
    async syncLater(fd) {
      count++;
      if (held) await new Promise<void>((go) => waiting.push(go));
      await hostFiles.syncLater(fd);
    },
  };
  return {
    files,
    /** From here on syncs wait, and are counted anew: opening a store takes some, too. */
    hold: () => {
      held = true;
      count = 0;
    },
    letGo: () => {
      held = false;
      for (const go of waiting.splice(0)) go();
    },
    syncs: () => count,
  };
}

const turns = async (n: number) => {
  for (let i = 0; i < n; i++) await new Promise((go) => setImmediate(go));
};

test("a writer is answered after the sync that covers its write, not before", async (t) => {
  const disk = slowDisk();
  const store = await testStore(t, { files: disk.files });
  disk.hold();
  const answered: string[] = [];
  const first = store.meta.set("a", 1).then(() => answered.push("a"));
  await turns(20);
  const second = store.meta.set("b", 1).then(() => answered.push("b"));
  assert.equal(store.meta.get("b"), 1, "a read runs it at once");
  await turns(20);

  assert.deepEqual(answered, []);
  assert.equal(disk.syncs(), 1);
  disk.letGo();
  await Promise.all([first, second]);
  assert.deepEqual(answered, ["a", "b"]);
  assert.equal(disk.syncs(), 2, "what came during a sync is not covered by it");
});

test("what gathers in one turn is one transaction and one sync", async (t) => {
  const disk = slowDisk();
  const store = await testStore(t, { files: disk.files });
  await store.meta.set("k", 1);
  const before = disk.syncs();

  await Promise.all([
    ...Array.from({ length: 20 }, (_, i) => store.activity.add(activityRecord({ at: i }))),
    putApprovals(store.approvals, [approvalRow("a", "b")]),
    store.meta.set("k", 2),
  ]);

  assert.equal(disk.syncs() - before, 1);
});

test("unhurried writes gather while the disk is busy, and the event loop is free", async (t) => {
  const disk = slowDisk();
  const store = await testStore(t, { files: disk.files });
  disk.hold();
  const adding: Promise<void>[] = [];
  for (let i = 0; i < 50; i++) {
    adding.push(store.activity.add(activityRecord({ at: i })));
    await turns(1);
  }

  assert.equal(disk.syncs(), 1);
  disk.letGo();
  await Promise.all(adding);
  assert.ok(disk.syncs() <= 3, `${disk.syncs()} syncs`);
});

test("answers come in the order of the writes, whatever their hurry", async (t) => {
  const store = await testStore(t);
  const order: number[] = [];
  const writes = Array.from({ length: 300 }, (_, i) => {
    const write = i % 3 ? store.activity.add(activityRecord({ at: i })) : store.meta.set(`k${i}`, i);
    return write.then(() => order.push(i));
  });

  await Promise.all(writes);

  // Some promises pass through one step more than others, so only the groups are compared.
  assert.deepEqual(
    order.filter((i) => i % 3),
    order.filter((i) => i % 3).toSorted((a, b) => a - b),
  );
  assert.deepEqual(
    order.filter((i) => i % 3 === 0),
    order.filter((i) => i % 3 === 0).toSorted((a, b) => a - b),
  );
});

test("a large backlog is written in slices, with turns for others between them", async (t) => {
  const store = await testStore(t);
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  t.after(() => clearInterval(counting));

  await Promise.all(Array.from({ length: 5000 }, (_, i) => store.activity.add(activityRecord({ at: i }))));

  assert.ok(turns >= 3, `${turns} turns`);
});

test("a few writes of many rows are several transactions, with turns for others between them", async (t) => {
  let transactions = 0;
  const connection: Pick<DatabaseConnection, "write" | "sync" | "journalPages"> = {
    write(act) {
      transactions++;
      act();
    },
    sync: async () => {},
    journalPages: () => 0,
  };
  const queue = createWriteQueue(connection as DatabaseConnection, systemClock, heardLog(), () => {});
  t.after(() => queue.close());
  const order: number[] = [];

  await Promise.all(
    Array.from({ length: 12 }, (_, i) => {
      const write = () => {
        order.push(i);
        busy(3);
      };
      return queue.put("now", write, 100);
    }),
  );

  assert.ok(transactions >= 4, `${transactions} transactions`);
  assert.deepEqual(order, [...order.keys()]);
});

test("while writes keep coming, the journal is copied as soon as it is large", async (t) => {
  let pages = 0;
  const copied: number[] = [];
  const connection: Pick<DatabaseConnection, "write" | "sync" | "journalPages" | "checkpoint"> = {
    write(act) {
      pages += 1500;
      act();
    },
    sync: async () => {},
    journalPages: () => pages,
    async checkpoint() {
      copied.push(pages);
      pages = 0;
    },
  };
  const queue = createWriteQueue(connection as DatabaseConnection, systemClock, heardLog(), () => {});
  t.after(() => queue.close());

  await Promise.all(Array.from({ length: 4 }, () => queue.put("now", () => busy(5), 100)));
  await queue.put("now", () => {});

  assert.equal(copied[0], 3000, `${copied}`);
});

test("a table that only its own writes change leaves the backlog of the others where it is", async (t) => {
  const connection: Pick<DatabaseConnection, "write" | "sync" | "journalPages"> = {
    write: (act) => act(),
    sync: async () => {},
    journalPages: () => 0,
  };
  const queue = createWriteQueue(connection as DatabaseConnection, systemClock, heardLog(), () => {});
  t.after(() => queue.close());
  const own = tableQueue(queue);
  const order: string[] = [];

  const others = queue.put("now", () => order.push("other"));
  own.flush();
  const untouched = [...order];
  const mine = own.put("now", () => order.push("own"));
  own.flush();

  assert.deepEqual(untouched, []);
  assert.deepEqual(order, ["other", "own"], "a read sees a write of its own at once, in the order of all writes");
  await Promise.all([others, mine]);
  const later = queue.put("now", () => order.push("later"));
  own.flush();
  assert.equal(order.length, 2);
  await later;
});

test("values and scans are read as they were written last", async (t) => {
  const store = await testStore(t);
  const writes = [
    store.meta.set("k", 1),
    putApprovals(store.approvals, [approvalRow("a", "b")]),
    store.meta.set("k", 2),
  ];

  assert.equal(store.meta.get("k"), 2);
  assert.deepEqual(await store.scans.all(), []);
  await Promise.all(writes);
});

function busy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("closing writes what waits", async (t) => {
  const store = await testStore(t);
  const adding = Array.from({ length: 3000 }, (_, i) => store.activity.add(activityRecord({ at: i })));

  await store.close();

  await Promise.all(adding);
  const again = await testStore(t, { dir: store.dir });
  assert.equal((await again.activity.select({}, { limit: 1 })).total, 3000);
});

test("a write that a read runs right after another one was answered is answered as well", async (t) => {
  const store = await testStore(t);
  let second: Promise<void> | undefined;

  await store.activity.add(activityRecord()).then(async () => {
    second = store.activity.add(activityRecord({ id: "second" }));
    assert.equal((await store.activity.get("second"))?.id, "second");
  });

  let timer: NodeJS.Timeout | undefined;
  t.after(() => clearTimeout(timer));
  const late = new Promise((done) => {
    timer = setTimeout(() => done("no answer"), 5000);
  });
  assert.equal(await Promise.race([second?.then(() => "answered"), late]), "answered");
});
