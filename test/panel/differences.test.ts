import assert from "node:assert/strict";
import { test } from "node:test";
import { differences, without } from "#handlers/ui/panel/views/configuration/differences.ts";

const SCHEMA = {
  type: "object",
  properties: {
    limit: { type: "integer", default: 15 },
    name: { type: "string" },
    hosts: { type: "array", items: { type: "string" }, default: [] },
    tls: {
      type: "object",
      default: {},
      properties: {
        enabled: { type: "boolean", default: false },
        hsts: { type: "boolean", default: true },
        limits: { type: "object", properties: { size: { type: "integer", default: 1 } } },
      },
    },
  },
};

test("only values that differ from the default are listed, in objects member by member", () => {
  const values = {
    limit: 15,
    name: "desk",
    hosts: [],
    tls: { enabled: true, hsts: true, limits: { size: 2 } },
    other: 1,
  };

  const found = differences(values, SCHEMA, ["limit", "name", "hosts", "tls"]);

  assert.deepEqual(found, [
    { path: ["name"], value: "desk", standard: undefined },
    { path: ["tls", "enabled"], value: true, standard: false },
    { path: ["tls", "limits", "size"], value: 2, standard: 1 },
  ]);
});

test("a reset removes one member and leaves its neighbours", () => {
  const values = { limit: 20, tls: { enabled: true, limits: { size: 2, count: 3 } } };

  assert.deepEqual(without(values, ["limit"]), { tls: values.tls });
  assert.deepEqual(without(values, ["tls", "limits", "size"]), {
    limit: 20,
    tls: { enabled: true, limits: { count: 3 } },
  });
});
