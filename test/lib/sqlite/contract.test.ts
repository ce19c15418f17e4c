import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import type { DatabaseSync, SqlInput } from "#lib/sqlite/types.ts";
import { ENGINES, nodeSqlite } from "#test/kit/sqlite.ts";

const SCHEMA = `
  create table t(id integer primary key, i integer, r real, s text, b blob, x);
  create unique index u on t(s);
  create table c(id integer primary key, tid integer references t(id));
  create table n(a not null check(a > 0));
  insert into t(i, r, s) values (1, 1.5, 'one'), (2, 2.5, 'two'), (3, 3.5, 'three');`;

type Check = (db: DatabaseSync) => unknown;
const one =
  (sql: string, ...inputs: unknown[]): Check =>
  (db) =>
    db.prepare(sql).get(...(inputs as SqlInput[]));
const threw = (code: string, about: RegExp, errcode?: number) => ({ code, about, errcode });

/** What is done, and the value or error that must come of it, on every engine. */
const ROWS: [string, Check, unknown][] = [
  ["a row has its columns by name", one("select id, s from t where id = 1"), { id: 1, s: "one" }],
  ["no row is undefined", one("select * from t where id = 99"), undefined],
  ["no rows are an empty list", (db) => db.prepare("select * from t where id = 99").all(), []],
  ["a later column of the same name wins", one("select 1 a, 2 a"), { a: 2 }],
  ["only the first statement is prepared", one("select 1 a; select 2 b"), { a: 1 }],
  [
    "changes and row id of an insert",
    (db) => db.prepare("insert into t(s) values (?)").run("x"),
    { changes: 1, lastInsertRowid: 4 },
  ],
  ["changes of an update", (db) => db.prepare("update t set r = 0").run().changes, 3],
  ["a returning insert answers its row", one("insert into t(s) values (?) returning id, s", "x"), { id: 4, s: "x" }],
  [
    "a number is REAL, a small bigint INTEGER",
    one("select typeof(?) a, typeof(?) b, typeof(?) c", 1, 2 ** 40, 3n),
    { a: "real", b: "real", c: "integer" },
  ],
  [
    "an integer column makes it whole again",
    (db) => {
      db.prepare("insert into t(i, x, s) values (?, ?, 'd')").run(1_760_000_000_000, 1_760_000_000_000);
      return db.prepare("select i, typeof(i) ti, typeof(x) tx from t where s = 'd'").get();
    },
    { i: 1_760_000_000_000, ti: "integer", tx: "real" },
  ],
  [
    "a statement used again binds what a call gives, not what the call before gave",
    (db) => {
      const read = db.prepare("select ? || '' a, typeof(?) b, hex(?) c");
      const bytes = new Uint8Array([1]);
      const rows: unknown[] = [];
      const call = (...inputs: SqlInput[]) => rows.push(Object.values(read.get(...inputs)!).join(" "));
      call("same", 1, bytes);
      bytes[0] = 2;
      call("same", 1, bytes);
      call("other", "1", null);
      call("other");
      call("much longer than the text before ".repeat(3), 1n, bytes);
      call("€".repeat(900), 1, "€");
      call("€".repeat(900), null, "€");
      call("", 1, "");
      return rows.map((row) => String(row).replace(/(€{900})/, "many"));
    },
    [
      "same real 01",
      "same real 02",
      "other text ",
      "other null ",
      `${"much longer than the text before ".repeat(3)} integer 02`,
      "many real E282AC",
      "many null E282AC",
      " real ",
    ],
  ],
  ["a REAL compares with an integer column", one("select count(*) n from t where i >= ?", 2), { n: 2 }],
  ["a REAL serves as LIMIT", one("select count(*) n from (select 1 from t limit ?)", 2), { n: 2 }],
  [
    "a 64-bit integer survives",
    (db) => {
      db.prepare("insert into t(i, s) values (?, 'big')").run(9_223_372_036_854_775_807n);
      const read = db.prepare("select i from t where i = ?");
      read.setReadBigInts(true);
      return read.get(9_223_372_036_854_775_807n);
    },
    { i: 9_223_372_036_854_775_807n },
  ],
  [
    "an integer no number can hold is refused",
    one("select 9007199254740993 a"),
    threw("ERR_OUT_OF_RANGE", /9007199254740993/),
  ],
  [
    "the largest safe integers are not",
    one("select 9007199254740991 a, -9007199254740991 b"),
    { a: 9007199254740991, b: -9007199254740991 },
  ],
  ["a bigint of more than 64 bits is refused", one("select ?", 2n ** 64n), threw("ERR_INVALID_ARG_VALUE", /too large/)],
  ["undefined is refused", one("select ? a", undefined), threw("ERR_INVALID_ARG_TYPE", /parameter 1/)],
  ["an array is taken for names", one("select ? a", [5]), threw("ERR_INVALID_STATE", /'0'/)],
  ["null is null", one("select ? a", null), { a: null }],
  ["NaN is null", one("select ? a", Number.NaN), { a: null }],
  ["infinity survives", one("select ? a", Number.POSITIVE_INFINITY), { a: Number.POSITIVE_INFINITY }],
  ["minus zero survives", one("select ? a", -0), { a: -0 }],
  ["any text survives", one("select ? a, length(?) n", "é☃𝄞", "é☃𝄞"), { a: "é☃𝄞", n: 3 }],
  ["a zero character in a text survives", one("select ? a", "a\0b"), { a: "a\0b" }],
  ["a lone surrogate becomes the replacement character", one("select ? a", "\ud800x"), { a: "\ufffdx" }],
  [
    "empty text and empty blob are not null",
    one("select ? a, typeof(?) b", "", new Uint8Array(0)),
    { a: "", b: "blob" },
  ],
  ["a blob survives", one("select ? a", new Uint8Array([1, 0, 255])), { a: new Uint8Array([1, 0, 255]) }],
  ["a Buffer is read as bytes", one("select ? a", Buffer.from("hi")), { a: new Uint8Array([104, 105]) }],
  ["a view of wider elements is bound whole", one("select length(?) n", new Float64Array(2)), { n: 16 }],
  ["a missing input is null", one("select ? a, ? b", 1), { a: 1, b: null }],
  ["an input too many is refused", one("select ? a", 1, 2), threw("ERR_SQLITE_ERROR", /out of range/, 25)],
  [
    "inputs of the last use are gone",
    (db) => {
      const s = db.prepare("select ? a, :b b");
      s.get({ b: 2 }, 1);
      return s.get({});
    },
    { a: null, b: null },
  ],
  [
    "names bind with and without their prefix",
    one("select :a a, $b b, @c c", { a: 1, $b: 2, c: 3 }),
    { a: 1, b: 2, c: 3 },
  ],
  ["an unknown name is refused", one("select :a a", { a: 1, z: 2 }), threw("ERR_INVALID_STATE", /'z'/)],
  [
    "a name of two parameters is refused",
    one("select :a a, $a b", { a: 7 }),
    threw("ERR_INVALID_STATE", /conflicting names ':a' and '\$a'/),
  ],
  ["names and positions mix", one("select ? b, :a a", { a: 1 }, 5), { b: 5, a: 1 }],
  ["numbered parameters", one("select ?2 b, ?1 a", "one", "two"), { b: "two", a: "one" }],
  ["one name in two places", one("select :a a, :a b", { a: 7 }), { a: 7, b: 7 }],
  ["unique", one("insert into t(s) values ('one')"), threw("ERR_SQLITE_ERROR", /^UNIQUE constraint failed: t\.s$/, 19)],
  ["not null", one("insert into n values (null)"), threw("ERR_SQLITE_ERROR", /^NOT NULL constraint failed: n\.a$/, 19)],
  ["check", one("insert into n values (-1)"), threw("ERR_SQLITE_ERROR", /^CHECK constraint failed/, 19)],
  [
    "foreign key",
    one("insert into c(tid) values (777)"),
    threw("ERR_SQLITE_ERROR", /^FOREIGN KEY constraint failed$/, 19),
  ],
  ["a syntax error", one("selec 1"), threw("ERR_SQLITE_ERROR", /near "selec"/, 1)],
  [
    "an unknown table, in exec",
    (db) => db.exec("insert into nope values (1)"),
    threw("ERR_SQLITE_ERROR", /no such table: nope/, 1),
  ],
  ["no statement at all", one("-- nothing"), threw("ERR_INVALID_ARG_VALUE", /contains no statements/)],
  [
    "rows as arrays",
    (db) => {
      const s = db.prepare("select 1 a, 2 a");
      s.setReturnArrays(true);
      return s.all();
    },
    [[1, 2]],
  ],
  [
    "names of columns",
    (db) =>
      db
        .prepare("select id, i + 1 z from t")
        .columns()
        .map((c) => c.name),
    ["id", "z"],
  ],
  ["iterating", (db) => [...db.prepare("select id from t order by id").iterate()].map((r) => r.id), [1, 2, 3]],
  [
    "a statement is free again after a broken iteration",
    (db) => {
      const s = db.prepare("select id from t");
      for (const _ of s.iterate()) break;
      return s.get()?.id;
    },
    1,
  ],
  [
    "writing while iterating",
    (db) => {
      for (const { id } of db.prepare("select id from t").iterate())
        db.prepare("update t set r = 9 where id = ?").run(id!);
      return db.prepare("select sum(r) s from t").get()?.s;
    },
    27,
  ],
  [
    "an iterator whose statement was started anew ends",
    (db) => {
      const s = db.prepare("select id from t");
      const rows = s.iterate();
      rows.next();
      s.get();
      return rows.next();
    },
    threw("ERR_INVALID_STATE", /invalidated/),
  ],
  [
    "a transaction is seen",
    (db) => {
      db.exec("begin");
      const inside = db.isTransaction;
      db.exec("rollback");
      return [inside, db.isTransaction];
    },
    [true, false],
  ],
  [
    "a rolled back write is gone",
    (db) => {
      db.exec("begin; delete from t; rollback");
      return db.prepare("select count(*) n from t").get()?.n;
    },
    3,
  ],
  [
    "JSON functions are there",
    (db) =>
      db
        .prepare("select value v from json_each(?)")
        .all('["a", 2]')
        .map((r) => r.v),
    ["a", 2],
  ],
  ["opening twice is refused", (db) => db.open(), threw("ERR_INVALID_STATE", /already open/)],
  [
    "a closed database is refused",
    (db) => {
      db.close();
      return db.prepare("select 1");
    },
    threw("ERR_INVALID_STATE", /not open/),
  ],
  [
    "a statement of a closed database is refused",
    (db) => {
      const s = db.prepare("select 1");
      db.close();
      return s.get();
    },
    threw("ERR_INVALID_STATE", /finalized/),
  ],
];

for (const { name: engine, load } of ENGINES)
  describe(`on ${engine}`, async () => {
    const dir = mkdtempSync(join(tmpdir(), "proxy-"));
    const { DatabaseSync } = await load();
    after(() => rmSync(dir, { recursive: true, force: true }));

    for (const [i, [title, act, wanted]] of ROWS.entries())
      test(title, () => {
        const db = new DatabaseSync(join(dir, `${i}.db`));
        db.exec(SCHEMA);

        const outcome = attempt(() => act(db));

        if (db.isOpen) db.close();
        compare(outcome, wanted);
      });

    test("a folder that does not exist is refused", () => {
      compare(
        attempt(() => new DatabaseSync(join(dir, "no/such/x.db"))),
        threw("ERR_SQLITE_ERROR", /unable to open/, 14),
      );
    });

    test("a file that is no database is refused", () => {
      const junk = join(dir, "junk.db");
      writeFileSync(junk, "not a database at all ".repeat(200));

      const outcome = attempt(() => new DatabaseSync(junk).prepare("select * from sqlite_master").all());

      compare(outcome, threw("ERR_SQLITE_ERROR", /not a database/, 26));
    });

    test("100,000 rows with a kilobyte each are read without harm", () => {
      const db = new DatabaseSync(join(dir, "many.db"));

      const rows = db
        .prepare(
          "with recursive k(i) as (select 1 union all select i + 1 from k where i < 100000) select i, ? pad from k",
        )
        .all("é".repeat(500));

      db.close();
      assert.equal(rows.length, 100_000);
      assert.deepEqual({ ...rows[99_999] }, { i: 100_000, pad: "é".repeat(500) });
    });
  });

test("which engines were compared", (t) => {
  t.diagnostic(`engines: ${ENGINES.map((e) => e.name).join(", ")}`);
  if (!nodeSqlite()) t.diagnostic("this Node has no node:sqlite, so its own engine was not compared");
  assert.equal(ENGINES[0]?.name, "sql.js");
});

function attempt(act: () => unknown): { value?: unknown; error?: unknown } {
  try {
    return { value: act() };
  } catch (error) {
    return { error };
  }
}

function compare(outcome: { value?: unknown; error?: unknown }, wanted: unknown) {
  if (!isThrow(wanted)) {
    if (outcome.error) throw outcome.error;
    return assert.deepEqual(plain(outcome.value), wanted);
  }
  const error = outcome.error as Error & { code?: string; errcode?: number };
  assert.ok(error, `nothing was thrown, but ${JSON.stringify(outcome.value)} answered`);
  assert.equal(error.code, wanted.code);
  assert.match(error.message, wanted.about);
  // node:sqlite gives the extended code, whose low byte is the primary one.
  if (wanted.errcode !== undefined) assert.equal(error.errcode! & 255, wanted.errcode);
}

function isThrow(wanted: unknown): wanted is ReturnType<typeof threw> {
  return typeof wanted === "object" && wanted !== null && "about" in wanted;
}

/** Rows have no prototype; expectations are ordinary objects. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return { ...value };
}
