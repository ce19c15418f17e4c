import assert from "node:assert/strict";
import { test } from "node:test";
import { ServerConfig } from "#lib/core/config/config-keys.ts";
import { NewServer } from "#lib/core/config/server-patch.ts";
import { fieldsWith, SERVER_CONFIG_FIELDS } from "#lib/core/schema/server-config-fields.ts";
import { ServerRecord } from "#lib/core/schema/server-record.ts";

/** Fields whose value in the record is not the configured one. */
const COMPUTED = ["protocol", "enabled", "quarantined"];

test("what requests may set about a server, its record shows", () => {
  const set = Object.keys(NewServer.entries);

  const shown = [...fieldsWith("record").map(([name]) => name as string), ...COMPUTED, "name"];

  assert.deepEqual(
    set.filter((name) => !shown.includes(name)),
    [],
  );
  for (const name of shown) assert.ok(name in ServerRecord.entries, name);
  for (const name of set) assert.ok(name in ServerConfig.entries, name);
});

test("only a field with one value is a flag of the command line", () => {
  for (const [name, { kind }] of fieldsWith("cli")) assert.ok(!["list", "map", "object"].includes(kind), name);
});

test("a choice, a map or an object has no input of the general form", () => {
  for (const [name, { kind }] of fieldsWith("form")) assert.ok(!["choice", "map", "object"].includes(kind), name);
});

test("a parameter of upstream_servers can be set by requests", () => {
  for (const [name] of fieldsWith("tool")) assert.ok(name in NewServer.entries, name);
});

test("every field of the configuration but the name stands in the table", () => {
  assert.deepEqual(Object.keys(ServerConfig.entries), ["name", ...Object.keys(SERVER_CONFIG_FIELDS)]);
});
