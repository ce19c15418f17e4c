import assert from "node:assert/strict";
import { test } from "node:test";
import { lintStep } from "#lib/modules/cluster/lint-step.ts";
import { SCHEMA_STEPS, type SchemaStep, stepDigest } from "#lib/modules/cluster/schema-step.ts";

const expand = (sql: string): SchemaStep => ({ kind: "expand", sql });

/**
 * The steps of released versions. A row is added with a release and never changed: databases hold these digests, and a
 * program that finds another one refuses to start.
 */
const RELEASED: readonly string[] = [];

test("released steps are as they were", () => {
  assert.deepEqual(SCHEMA_STEPS.slice(0, RELEASED.length).map(stepDigest), RELEASED);
});

test("every step of the program is safe", () => {
  assert.deepEqual(SCHEMA_STEPS.map((step, index) => lintStep(step, index + 1)).filter(Boolean), []);
});

for (const sql of [
  "create table a (n int primary key, t text not null default now());",
  "create table a (n int); create unique index a_n on a (n); alter table a add column x int not null",
  "alter table a add column b text",
  "alter table a add column b text not null default 'drop table; ((', add column c numeric(3, 1) default 0",
  "insert into a (b) values ('x;y') on conflict do nothing -- drop table a",
  "/* drop table a */ create table if not exists b (n int)",
])
  test(`an expanding step may hold: ${sql}`, () => {
    assert.equal(lintStep(expand(sql), 1), undefined);
  });

for (const [sql, reason] of [
  ["drop table a", /not known to add/],
  ["alter table a drop column b", /not known to add/],
  ["alter table a add column b int, drop column c", /not known to add/],
  ["alter table a rename to b", /not known to add/],
  ["alter table a alter column b set not null", /not known to add/],
  ["alter table a add column b int not null", /cannot fill the column/],
  ["alter table a add column b int default random()", /rewrites the table/],
  ["alter table a add column b int references c", /constraint/],
  ["alter table a add column b int check (b > 0)", /constraint/],
  ["create index a_b on a (b)", /stops writes/],
  ["create index concurrently a_b on a (b)", /not known to add|stops writes/],
  ["update a set b = 1", /not known to add/],
  ["insert into a values (1)", /not known to add/],
  ["delete from a", /not known to add/],
  ["truncate a", /not known to add/],
  ["create table b (n int); DROP   TABLE a", /not known to add/],
  ["do $$ begin drop table a; end $$", /function body/],
] as const)
  test(`an expanding step may not hold: ${sql}`, () => {
    assert.match(lintStep(expand(sql), 1) ?? "safe", reason);
  });

for (const [step, number, safe] of [
  [{ kind: "contract", needs: 2, sql: "drop table a" }, 3, true],
  [{ kind: "contract", needs: 3, sql: "drop table a" }, 3, true],
  [{ kind: "contract", needs: 4, sql: "drop table a" }, 3, false],
  [{ kind: "contract", needs: 0, sql: "drop table a" }, 3, false],
  [{ kind: "contract", needs: 1.5, sql: "drop table a" }, 3, false],
  [{ kind: "index", name: "a_b", on: "a (b, c)" }, 1, true],
  [{ kind: "index", name: "a_b", on: "a using gin (b)" }, 1, true],
  [{ kind: "index", name: "a_b; drop table a", on: "a (b)" }, 1, false],
  [{ kind: "index", name: "a_b", on: "a (b); drop table a" }, 1, false],
] as const)
  test(`step ${number} ${JSON.stringify(step)} is ${safe ? "safe" : "unsafe"}`, () => {
    assert.equal(lintStep(step, number) === undefined, safe);
  });
