import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolRow } from "#lib/core/schema/tool.ts";
import { createNeighbours } from "#lib/modules/scan/neighbours.ts";
import { listed, testCatalog } from "#test/kit/catalog.ts";

const CLEAN = "Reads one entry of the notebook by its number and answers its text";

function rowsOf(...names: string[]): ToolRow[] {
  // The neighbours read nothing else of a row.
  return names.map((name) => ({ name, description: CLEAN }) as ToolRow);
}

test("the servers that have a tool of a name are known as they come, change their tools and go", () => {
  const byServer = new Map<string, readonly ToolRow[]>();
  const neighbours = createNeighbours(byServer);
  const swap = (server: string, ...names: string[]) => {
    const before = byServer.get(server) ?? [];
    const after = rowsOf(...names);
    if (after.length > 0) byServer.set(server, after);
    else byServer.delete(server);
    neighbours.swap(server, before, after);
  };
  const known = () => Object.fromEntries(neighbours.foreign);

  swap("a", "read", "write");
  swap("b", "read");
  assert.deepEqual(known(), { read: ["a", "b"], write: ["a"] });
  swap("a", "read", "list");
  assert.deepEqual(known(), { read: ["a", "b"], list: ["a"] });
  assert.deepEqual(
    neighbours.rivals.map(({ server, names }) => [server, [...names]]),
    [
      ["a", ["read", "list"]],
      ["b", ["read"]],
    ],
  );
  swap("a");
  swap("b");
  assert.deepEqual(known(), {});
  assert.deepEqual(neighbours.rivals, []);
});

test("the tools of many servers are grouped while others have their turns, and each server's once", async () => {
  const byServer = new Map<string, readonly ToolRow[]>();
  let reads = 0;
  for (let i = 0; i < 20; i++) {
    const row = {
      name: `tool_${i}`,
      get description() {
        reads++;
        const until = performance.now() + 3;
        while (performance.now() < until);
        return CLEAN;
      },
    };
    byServer.set(`s${i}`, [row as ToolRow]);
  }
  const neighbours = createNeighbours(byServer);
  let turns = 0;
  const others = setInterval(() => turns++, 0);

  await neighbours.prepare("asked");

  clearInterval(others);
  assert.ok(turns >= 8, `${turns} turns of others`);
  assert.equal(neighbours.rivals.length, 20);
  assert.equal(neighbours.prepare("asked"), undefined);
  assert.equal(reads, 20);
});

test("however many wait for the groups, each server's tools are grouped once, those that come meanwhile too", async () => {
  let reads = 0;
  const rowOf = (name: string) =>
    ({
      name,
      get description() {
        reads++;
        const until = performance.now() + 2;
        while (performance.now() < until);
        return CLEAN;
      },
    }) as ToolRow;
  const byServer = new Map<string, readonly ToolRow[]>();
  for (let i = 0; i < 10; i++) byServer.set(`s${i}`, [rowOf(`tool_${i}`)]);
  const neighbours = createNeighbours(byServer);

  const waiting = Array.from({ length: 30 }, () => neighbours.prepare("background"));
  byServer.set("late", [rowOf("late_tool")]);
  neighbours.swap("late", [], byServer.get("late")!);
  await Promise.all(waiting);

  assert.equal(reads, 11);
  assert.equal(neighbours.prepare("background"), undefined);
  assert.equal(neighbours.rivals.at(-1)?.server, "late");
  assert.equal(reads, 11);
});

test("what the scan says of a tool is found out once, and again when any server lists other tools", async () => {
  const { catalog } = testCatalog({ notebook: {}, copy: {} });
  await catalog.acceptListing("notebook", [listed("read_entry", CLEAN), listed("write_entry"), listed("drop_entry")]);
  const report = () => {
    const row = catalog.get("notebook:read_entry")!;
    return catalog.scan("notebook", row, row.hash);
  };

  const before = report();
  assert.equal(report(), before);
  assert.deepEqual(before.findings, []);

  await catalog.acceptListing("copy", [listed("read_entry", CLEAN)]);
  assert.deepEqual(
    report().findings.map(({ rule }) => rule),
    ["alike.copied"],
  );
});
