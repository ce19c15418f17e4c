import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "#lib/core/app.ts";
import { exportActivity } from "#lib/core/verbs/activity/export.ts";
import { admin } from "#test/kit/actor.ts";
import { withApp } from "#test/kit/app.ts";
import { activityRecord } from "#test/kit/store.ts";

/** What is exported where `skipped` records beside one cannot be read. */
async function exported(real: App, skipped: number, format: "json" | "csv"): Promise<string> {
  const walk: App["store"]["activity"]["walk"] = async function* (_filter, onSkipped) {
    yield activityRecord({ id: "readable" });
    if (skipped > 0) onSkipped?.(skipped);
  };
  const app: App = { ...real, store: { ...real.store, activity: { ...real.store.activity, walk } } };
  let text = "";
  for await (const piece of exportActivity(app, { format, filter: {}, bodies: false }, admin.caller)) text += piece;
  return text;
}

test("an export from a damaged database ends with a line that says how many records are missing", () =>
  withApp({ connect: false }, async (app) => {
    const [record, last, rest] = (await exported(app, 3, "json")).split("\n");
    assert.equal(JSON.parse(record!).id, "readable");
    const { error_message, ...notice } = JSON.parse(last!);
    assert.deepEqual(notice, { type: "export_incomplete", skipped_records: 3 });
    assert.match(error_message, /omitted 3 record/);
    assert.equal(rest, "");

    const csv = (await exported(app, 3, "csv")).split("\r\n");
    assert.match(csv[2]!, /^,export_incomplete,,,,,an export of activity omitted 3 record\(s\)[^,]*,{11}$/);
    assert.equal(csv.length, 4);
  }));

test("an export that is whole has records only", () =>
  withApp({ connect: false }, async (app) => {
    assert.equal((await exported(app, 0, "json")).split("\n").length, 2);
    assert.equal((await exported(app, 0, "csv")).split("\r\n").length, 3);
  }));
