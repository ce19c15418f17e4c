import assert from "node:assert/strict";
import { test } from "node:test";
import { deepMerge, mergePatch, sameJson } from "#lib/core/base/json-object.ts";

const json = (text: string): unknown => JSON.parse(text);

test("merge patch gives the results of RFC 7396, appendix A", () => {
  const rows: [target: string, patch: string, result: string][] = [
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', "{}"],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', "null", "null"],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ["[1,2]", '{"a":"b","c":null}', '{"a":"b"}'],
    ["{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ];
  for (const [target, patch, result] of rows)
    assert.deepEqual(mergePatch(json(target), json(patch)), json(result), `${target} + ${patch}`);
});

test("a deep merge replaces lists and keeps null as a value", () => {
  const rows: [base: string, over: string, result: string][] = [
    ['{"a":{"b":1,"c":2}}', '{"a":{"c":3}}', '{"a":{"b":1,"c":3}}'],
    ['{"a":[1,2]}', '{"a":[3]}', '{"a":[3]}'],
    ['{"a":1}', '{"a":null}', '{"a":null}'],
    ['{"a":1}', '{"a":{"b":2}}', '{"a":{"b":2}}'],
  ];
  for (const [base, over, result] of rows)
    assert.deepEqual(deepMerge(json(base), json(over)), json(result), `${base} + ${over}`);
  assert.deepEqual(deepMerge({ a: 1 }, { a: undefined, b: undefined }), { a: 1 });
});

test("a key called __proto__ is data and reaches no prototype", () => {
  const hostile = json('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');

  for (const merge of [mergePatch, deepMerge]) {
    const merged = merge({ a: 1 }, hostile) as Record<string, unknown>;
    const again = merge(merged, hostile) as Record<string, unknown>;

    assert.equal(Object.getPrototypeOf(again), Object.prototype);
    assert.ok(Object.hasOwn(again, "__proto__"));
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
    assert.equal(
      JSON.stringify(again),
      '{"a":1,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
  }
});

test("merging changes neither argument", () => {
  const target = Object.freeze({ a: Object.freeze({ b: 1 }) });
  const patch = Object.freeze({ a: Object.freeze({ c: 2 }) });

  mergePatch(target, patch);
  deepMerge(target, patch);

  assert.deepEqual([target, patch], [{ a: { b: 1 } }, { a: { c: 2 } }]);
});

test("JSON values are the same whatever the order of their keys, and undefined is absent", () => {
  const rows: [a: unknown, b: unknown, same: boolean][] = [
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [[1, 2], [2, 1], false],
    [{ a: undefined }, { b: undefined }, true],
    [{ a: 1 }, { b: 1 }, false],
    [null, {}, false],
    [[], {}, false],
    [json('{"__proto__":1}'), {}, false],
  ];
  for (const [a, b, same] of rows) {
    assert.equal(sameJson(a, b), same, JSON.stringify([a, b]));
    assert.equal(sameJson(b, a), same, JSON.stringify([b, a]));
  }
});
