import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "#test/kit/clock.ts";
import { masterKeys, memoryMeta, testStates } from "#test/kit/sealed-states.ts";
import { memoryLog } from "#test/kit/upstream.ts";

const DAY = 24 * 60 * 60_000;

test("what was sealed opens after a restart, and cannot be read on its way nor in the database", async () => {
  const storage = memoryMeta();
  const sealed = await testStates({ storage }).seal("a", "öpaque\n1", 1000);
  const id = await testStates({ storage }).sealId("a", "öpaque\n1");

  const restarted = testStates({ storage });

  for (const text of [sealed, id]) {
    assert.match(text, /^[\w-]+$/);
    assert.ok(!Buffer.from(text, "base64url").toString("latin1").includes("paque"));
    assert.equal(await restarted.open("a", text), "öpaque\n1");
    assert.equal(await restarted.open("b", text), undefined);
  }
  assert.deepEqual(Object.keys(storage.entries.get("state_keys") as object), ["key", "sealed"]);
});

test("a state differs each time, an id is the same for the same text in the same place", async () => {
  const storage = memoryMeta();
  const states = testStates({ storage });

  assert.notEqual(await states.seal("a", "x", 1000), await states.seal("a", "x", 1000));
  assert.equal(await states.sealId("a", "x"), await testStates({ storage }).sealId("a", "x"));
  assert.notEqual(await states.sealId("a", "x"), await states.sealId("a", "y"));
  assert.notEqual(await states.sealId("a", "x"), await states.sealId("b", "x"));
});

test("what was changed, cut or sealed elsewhere does not open", async () => {
  const states = testStates();
  const sealed = await states.seal("a", "x", 1000);
  const bytes = Buffer.from(sealed, "base64url");
  const flipped = [0, 6, 20, bytes.length - 1].map((at) =>
    Buffer.from(bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))).toString("base64url"),
  );
  const elsewhere = await testStates().seal("a", "x", 1000);
  const cut = [sealed.slice(1), sealed.slice(0, -1), sealed.slice(0, 8), sealed.slice(0, 20)];

  for (const bad of ["", "x", `${sealed}=`, `${sealed}AAAA`, ` ${sealed}`, ...cut, ...flipped, elsewhere])
    assert.equal(await states.open("a", bad), undefined, bad);
  assert.equal(await states.open("a", "A".repeat(2_000_000)), undefined);
});

test("a state is good for its time alone", async () => {
  const clock = handClock();
  const states = testStates({ clock });
  const sealed = await states.seal("a", "x", 1000);

  await clock.advance(1000);
  assert.equal(await states.open("a", sealed), "x");
  await clock.advance(1);
  assert.equal(await states.open("a", sealed), undefined);
});

test("a key seals for 30 days and opens for 90, over restarts", async () => {
  const storage = memoryMeta();
  const clock = handClock();
  const first = await testStates({ storage, clock }).sealId("a", "x");

  await clock.advance(30 * DAY - 1);
  const last = await testStates({ storage, clock }).sealId("a", "y");
  await clock.advance(1);
  const states = testStates({ storage, clock });
  const [renewed, again] = await Promise.all([states.sealId("a", "x"), states.sealId("a", "x")]);

  assert.equal(last.slice(0, 8), first.slice(0, 8));
  assert.notEqual(renewed.slice(0, 8), first.slice(0, 8));
  assert.equal(again, renewed);
  for (const id of [first, renewed]) assert.equal(await testStates({ storage, clock }).open("a", id), "x");
  await clock.advance(60 * DAY);
  assert.equal(await states.open("a", last), undefined);
  assert.equal(await states.open("a", renewed), "x");
  await clock.advance(DAY);
  await states.sealId("a", "x");
  assert.equal(await testStates({ storage, clock }).open("a", first), undefined);
});

test("no key is read before the first use", async () => {
  let reads = 0;
  const byId = (id: string) => {
    reads++;
    return masterKeys.byId(id);
  };
  const storage = memoryMeta();
  await testStates({ storage }).sealId("a", "x");

  const states = testStates({ storage, master: { ...masterKeys, byId } });

  assert.equal(reads, 0);
  await Promise.all([states.sealId("a", "x"), states.sealId("a", "y"), states.open("a", "zzzzzzzzz")]);
  assert.equal(reads, 1);
});

test("a ring that cannot be read or stored is replaced by one in memory, and the log says so", async () => {
  const storage = memoryMeta();
  const before = await testStates({ storage }).sealId("a", "x");
  const lines = memoryLog();
  const fail = () => Promise.reject(new Error("the keyring is locked"));

  const states = testStates({ storage, log: lines.log, master: { byId: fail, forSealing: fail } });
  const made = await states.seal("a", "x", 1000);

  assert.equal(await states.open("a", made), "x");
  assert.equal(await states.open("a", before), undefined);
  assert.equal(await testStates({ storage }).open("a", before), "x", "the stored ring is untouched");
  assert.match(lines.lines.join("\n"), /cannot be read; such states are refused: the keyring is locked/);
  assert.match(lines.lines.join("\n"), /cannot be stored; a restart ends them: the keyring is locked/);
});

test("two replicas that make the first key at once use one of the two", async () => {
  const storage = memoryMeta();
  const [here, there] = [testStates({ storage }), testStates({ storage })];

  const [one, other] = await Promise.all([here.seal("p", "1", 60_000), there.seal("p", "2", 60_000)]);

  assert.deepEqual([await there.open("p", one), await here.open("p", other)], ["1", "2"]);
});

test("a key that another replica has just made is known; keys that nobody made are looked up ten times a second", async () => {
  const storage = memoryMeta();
  let lookups = 0;
  const counted = {
    ...storage,
    get(key: string) {
      lookups++;
      return storage.get(key);
    },
  };
  const clock = handClock();
  const [here, there] = [testStates({ storage: counted, clock }), testStates({ storage, clock })];
  assert.equal(await here.open("p", "00000000AAAA"), undefined);

  const sealed = await there.seal("p", "text", 60_000);

  assert.equal(await here.open("p", sealed), "text");
  const before = lookups;
  for (let i = 0; i < 50; i++) assert.equal(await here.open("p", `0000000${i % 10}AAAA`), undefined);
  assert.ok(lookups - before <= 10, `${lookups - before} lookups`);
  assert.equal(await here.open("p", sealed), "text");
  await clock.advance(1000);
  await here.open("p", "00000000AAAA");
  assert.ok(lookups > before);
});

test("keys that are known stay while the database is away", async () => {
  const storage = memoryMeta();
  let isAway = false;
  const states = testStates({
    storage: { ...storage, get: (key) => (isAway ? Promise.reject(new Error("away")) : storage.get(key)) },
  });
  const sealed = await states.seal("p", "text", 60_000);
  isAway = true;

  assert.equal(await states.open("p", "00000000AAAA"), undefined);

  assert.equal(await states.open("p", sealed), "text");
});
