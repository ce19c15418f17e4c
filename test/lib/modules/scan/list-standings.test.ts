import assert from "node:assert/strict";
import { test } from "node:test";
import { readListStandings } from "#lib/modules/scan/list-standings.ts";
import { knownStanding } from "#lib/modules/scan/standing.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { until } from "#test/kit/until.ts";

const WORLD = {
  connect: false,
  servers: ["one", "two", "three"].map((name) => ({ name, command: "/opt/one", quarantined: false })),
  tools: { "one:a": {}, "one:b": {}, "two:a": {}, "three:a": {} },
} as const;
const scanned = (app: TestApp) => ["one", "two", "three"].filter((name) => knownStanding(app, name) !== undefined);

test("a list waits for the scans of many tools, and longer while they are quick", () =>
  withApp(structuredClone(WORLD), async (app) => {
    await readListStandings(app, { tier: "admin" }, { listed: 1, ms: 60_000 });

    assert.deepEqual(scanned(app), ["one", "two", "three"]);
  }));

test("a list that would wait longer is answered; the other scans continue, and an event says when they are there", () =>
  withApp(structuredClone(WORLD), async (app) => {
    const reasons: string[] = [];
    app.events.subscribe((event) => {
      if (event.kind === "servers.changed") reasons.push(event.data.reason);
    });

    await readListStandings(app, { tier: "admin" }, { listed: 1, ms: -1 });

    assert.deepEqual(scanned(app), ["one"]);
    await until("the others are scanned", () => reasons.includes("scan_settled"));
    assert.deepEqual(scanned(app), ["one", "two", "three"]);
  }));

test("callers that see no scans wait for none", () =>
  withApp(structuredClone(WORLD), async (app) => {
    await readListStandings(app, { tier: "user" });

    assert.deepEqual(scanned(app), []);
  }));
