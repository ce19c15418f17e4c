import assert from "node:assert/strict";
import { test } from "node:test";
import { readListStandings } from "#lib/modules/scan/list-standings.ts";
import { isStandingRead, knownStanding } from "#lib/modules/scan/standing.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { until } from "#test/kit/until.ts";

const WORLD = {
  connect: false,
  servers: ["one", "two", "three"].map((name) => ({ name, command: "/opt/one", quarantined: false })),
  tools: { "one:a": {}, "one:b": {}, "two:a": {}, "three:a": {} },
} as const;
const scanned = (app: TestApp) => ["one", "two", "three"].filter((name) => knownStanding(app, name) !== undefined);

test("a list waits for the scans of a few tools", () =>
  withApp(structuredClone(WORLD), async (app) => {
    await readListStandings(app, { tier: "admin" }, 4);

    assert.deepEqual(scanned(app), ["one", "two", "three"]);
  }));

test("a list with many tools to scan does not wait; an event says when the scans are there", () =>
  withApp(structuredClone(WORLD), async (app) => {
    const reasons: string[] = [];
    app.events.subscribe((event) => {
      if (event.kind === "servers.changed") reasons.push(event.data.reason);
    });

    await readListStandings(app, { tier: "admin" }, 3);

    assert.deepEqual(scanned(app), []);
    await until("they are scanned", () => reasons.includes("scan_settled"));
    assert.deepEqual(scanned(app), ["one", "two", "three"]);
    await readListStandings(app, { tier: "admin" }, 0);
    assert.equal(reasons.length, 1, "nothing is left to scan");
  }));

test("while a server is scanned again because another one lists something new, its former verdict is shown", () =>
  withApp(structuredClone(WORLD), async (app) => {
    await readListStandings(app, { tier: "admin" });

    await app.catalog.acceptListing("three", [
      { name: "b", description: "Another tool", inputSchema: { type: "object" } },
    ]);

    assert.deepEqual(scanned(app), ["one", "two"]);
    assert.deepEqual(
      ["one", "two", "three"].filter((name) => isStandingRead(app, name)),
      [],
    );
  }));

test("callers that see no scans wait for none", () =>
  withApp(structuredClone(WORLD), async (app) => {
    await readListStandings(app, { tier: "user" });

    assert.deepEqual(scanned(app), []);
  }));
