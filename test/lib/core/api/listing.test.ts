import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { readCursor, writeCursor } from "#lib/core/api/cursor.ts";
import { fieldsParameter, pickFields } from "#lib/core/api/fields.ts";
import { type ListingSort, pagedListing } from "#lib/core/api/listing.ts";
import { sortedInSteps } from "#lib/core/base/sorted.ts";
import { rowsByMembers } from "#lib/core/schema/list-page.ts";
import { type Random, seeded } from "#test/kit/random.ts";

interface Thing {
  id: string;
  size?: number;
  kind: string;
}
const things = pagedListing("things", ["id", "size", "kind"], "as made");
const thing = (n: number, r: Random): Thing => ({
  id: `t${n}`,
  kind: r.pick(["a", "b", "c"]),
  ...(r.below(4) > 0 && { size: r.below(5) }),
});
const SORTS: (string | undefined)[] = [undefined, "id", "-id", "size", "-size", "kind,-size", "-kind,size,-id"];
const sortOf = (text: string | undefined) => v.parse(things.query.sort, text) as ListingSort[] | undefined;

test("walking by cursor gives the unpaged list, in every order, while rows are added and removed", async () => {
  for (let seed = 1; seed <= 60; seed++)
    for (const text of SORTS) {
      const r = seeded(seed);
      const rows = Array.from({ length: r.below(40) }, (_, n) => thing(n, r));
      const before = [...rows];
      const sort = sortOf(text);
      const { rows: unpaged } = await things.choose({ sort })(rowsByMembers(before, "id"));
      const walked: Thing[] = [];
      let cursor: string | undefined;
      let next = 1000;
      const gone = new Set<string>();
      do {
        const page = await things.choose({ sort, cursor, limit: 1 + r.below(7) })(rowsByMembers(rows, "id"));
        walked.push(...page.rows);
        cursor = page.next_cursor;
        // Rows come in anywhere; one that was shown already may go, but not the anchor of a list in its own order.
        for (let n = r.below(3); n > 0; n--) rows.splice(r.below(rows.length + 1), 0, thing(next++, r));
        const shown = walked.slice(0, -1).find(({ id }) => before.some((b) => b.id === id) && !gone.has(id));
        if (sort && shown && r.below(2) === 0) {
          gone.add(shown.id);
          rows.splice(rows.indexOf(shown), 1);
        }
      } while (cursor !== undefined);

      assert.equal(new Set(walked.map(({ id }) => id)).size, walked.length, `${text} ${seed}: something came twice`);
      const originals = walked.filter((row) => before.includes(row));
      assert.deepEqual(originals, unpaged, `${text} ${seed}`);
    }
});

test("where the row before is gone, a list in its own order goes on where it stood", async () => {
  const rows = ["a", "b", "c", "d"].map((id) => ({ id, kind: "x" }));
  const first = await things.choose({ limit: 2 })(rowsByMembers(rows, "id"));
  const left = rows.filter(({ id }) => id !== "b");

  const second = await things.choose({ limit: 2, cursor: first.next_cursor })(rowsByMembers(left, "id"));

  assert.deepEqual(
    second.rows.map(({ id }) => id),
    ["c", "d"],
  );
  assert.deepEqual([first.total, first.limit, second.next_cursor], [4, 2, undefined]);
});

test("a cursor is of use with its own list, filters and sort alone, and unaltered", async () => {
  const cursor = writeCursor("things", { kind: "a", q: undefined }, ["t1", 3]);
  assert.deepEqual(readCursor("things", { kind: "a" }, cursor), ["t1", 3]);
  const wrong: [string, Record<string, unknown>, string][] = [
    ["others", { kind: "a" }, cursor],
    ["things", { kind: "b" }, cursor],
    ["things", {}, cursor],
    ["things", { kind: "a" }, cursor.slice(1)],
    ["things", { kind: "a" }, cursor.slice(0, -1)],
    ["things", { kind: "a" }, `${cursor}A`],
    ["things", { kind: "a" }, ""],
    ["things", { kind: "a" }, "x".repeat(200)],
  ];
  for (const [list, asked, text] of wrong)
    assert.throws(() => readCursor(list, asked, text), { code: "invalid_request", message: /^cursor: .*start again/ });
  await assert.rejects(things.choose({ cursor: "nonsense" })(rowsByMembers([] as Thing[], "id")), {
    message: /^cursor: /,
  });
});

test("sorting in slices is sorting: the same order, equal rows as they were", async () => {
  const r = seeded(3);
  for (const size of [0, 1, 2, 511, 512, 513, 5000]) {
    const rows = Array.from({ length: size }, (_, n) => ({ key: r.below(50), n }));
    const compare = (a: { key: number }, b: { key: number }) => a.key - b.key;
    assert.deepEqual(await sortedInSteps(rows, compare), [...rows].sort(compare));
  }
});

const RECORD = v.object({
  name: v.string(),
  health: v.object({ level: v.string(), detail: v.optional(v.object({ code: v.number() })) }),
  env: v.optional(v.pipe(v.record(v.string(), v.string()), v.description("any"))),
  list: v.array(v.object({ a: v.string() })),
});

test("fields cut a record down to what they name; one that no record has is refused with the nearest", () => {
  const fields = fieldsParameter(RECORD);
  const record = {
    name: "x",
    health: { level: "ok", detail: { code: 1 } },
    env: { "A.B": "1", C: "2" },
    list: [{ a: "1" }],
  };
  const rows: [string, object][] = [
    ["name", { name: "x" }],
    ["name, health.level", { name: "x", health: { level: "ok" } }],
    ["health.detail.code,health.level", { health: { detail: { code: 1 }, level: "ok" } }],
    ["health,health.level", { health: record.health }],
    ["health.level,health", { health: record.health }],
    ["env.C", { env: { C: "2" } }],
    ["list", { list: record.list }],
  ];
  for (const [text, wanted] of rows) assert.deepEqual(pickFields(record, v.parse(fields, text)), wanted, text);
  assert.equal(pickFields(record, undefined), record);
  for (const [text, message] of [
    ["nme", /^unknown field "nme"; did you mean "name"\?$/],
    ["health.levl", /^unknown field "health.levl"; did you mean "health.level"\?$/],
    ["zzz", /^unknown field "zzz"; known fields: name, health, env, list$/],
    ["", /^unknown field ""; known fields:/],
    ["name,,list", /^unknown field ""/],
    ["constructor", /^unknown field "constructor"/],
    [`${"name,".repeat(200)}name`, /at most 100 fields/],
  ] as const) {
    const found = v.safeParse(fields, text);
    assert.match(found.issues?.[0].message ?? "", message, text);
  }
});

test("a sort that no list has is refused with the nearest or the list of them", () => {
  for (const [text, message] of [
    ["nam", /^"nam" is not a sort key; known keys: id, size, kind$/],
    ["-sise", /^"sise" is not a sort key; did you mean "size"\?$/],
    ["", /^"" is not a sort key/],
  ] as const)
    assert.match(v.safeParse(things.query.sort, text).issues?.[0].message ?? "", message, text);
});
