import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "#lib/modules/cluster/faults.ts";
import { createOutageReport } from "#lib/modules/cluster/outage-report.ts";
import { heardLog } from "#test/kit/log.ts";

const away = new Fault("cluster_database_away", { reason: "the connection was refused" });

test("an outage of the database is logged when it begins, every ten minutes with its failures, and when it ends", () => {
  const log = heardLog();
  let now = 5000;
  const report = createOutageReport(log, () => now);
  const failFor = (ms: number) => {
    for (const end = now + ms; now < end; now += 4000) for (let i = 0; i < 2; i++) assert.ok(report.failed(away));
  };

  report.answered();
  failFor(20 * 60_000 + 8000);
  report.answered();
  report.answered();

  assert.deepEqual(
    log.lines.map((line) => line.replace(/^\S+ +/, "")),
    [
      "WARN  the cluster's database cannot be used (the connection was refused); the replica keeps trying",
      "WARN  the cluster's database could not be used for 600 s and 301 failed attempts (the connection was refused)",
      "WARN  the cluster's database could not be used for 1200 s and 601 failed attempts (the connection was refused)",
      "INFO  the cluster's database can be used again after 1208 s and 604 failed attempts",
    ],
  );
});

test("a failure for another reason is no outage", () => {
  const log = heardLog();
  const report = createOutageReport(log, () => 0);

  assert.equal(report.failed(new Error("a defect")), false);
  report.answered();

  assert.deepEqual(log.lines, []);
});
