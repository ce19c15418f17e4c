import assert from "node:assert/strict";
import { test } from "node:test";
import { isQuietAt, parseQuietHours } from "#lib/modules/notifications/quiet-hours.ts";

test("quiet hours apply on the clocks of their time zone, also over midnight and in summer", () => {
  const rows: [time: string, hours: string | undefined, zone: string, isQuiet: boolean][] = [
    ["2026-01-10T22:00:00Z", "22:00-07:00", "UTC", true],
    ["2026-01-10T21:59:59Z", "22:00-07:00", "UTC", false],
    ["2026-01-11T06:59:59Z", "22:00-07:00", "UTC", true],
    ["2026-01-11T07:00:00Z", "22:00-07:00", "UTC", false],
    ["2026-01-10T21:00:00Z", "22:00-07:00", "Europe/Berlin", true],
    ["2026-07-10T20:00:00Z", "22:00-07:00", "Europe/Berlin", true],
    ["2026-07-10T19:59:00Z", "22:00-07:00", "Europe/Berlin", false],
    ["2026-01-10T12:00:00Z", "12:00-13:00", "UTC", true],
    ["2026-01-10T13:00:00Z", "12:00-13:00", "UTC", false],
    ["2026-01-10T00:00:00Z", "00:00-00:01", "UTC", true],
    ["2026-01-10T18:30:00Z", "00:00-01:00", "Asia/Kolkata", true],
    ["2026-01-10T12:00:00Z", undefined, "UTC", false],
    // On 2026-03-29 the clocks of Berlin go from 02:00 to 03:00 at 01:00 UTC, so the night has an hour less.
    ["2026-03-28T20:59:00Z", "22:00-07:00", "Europe/Berlin", false],
    ["2026-03-28T21:00:00Z", "22:00-07:00", "Europe/Berlin", true],
    ["2026-03-29T04:59:00Z", "22:00-07:00", "Europe/Berlin", true],
    ["2026-03-29T05:00:00Z", "22:00-07:00", "Europe/Berlin", false],
    ["2026-03-29T00:59:00Z", "02:00-03:00", "Europe/Berlin", false],
    ["2026-03-29T01:00:00Z", "02:00-03:00", "Europe/Berlin", false],
    // On 2026-10-25 they go from 03:00 to 02:00 at 01:00 UTC, so this hour is there twice.
    ["2026-10-24T23:59:00Z", "02:00-03:00", "Europe/Berlin", false],
    ["2026-10-25T00:00:00Z", "02:00-03:00", "Europe/Berlin", true],
    ["2026-10-25T01:59:00Z", "02:00-03:00", "Europe/Berlin", true],
    ["2026-10-25T02:00:00Z", "02:00-03:00", "Europe/Berlin", false],
    ["2026-10-25T06:00:00Z", "22:00-07:00", "Europe/Berlin", false],
  ];
  for (const [time, hours, zone, isQuiet] of rows)
    assert.equal(isQuietAt(Date.parse(time), hours, zone), isQuiet, `${time} ${hours} ${zone}`);
});

test("quiet hours are two different times of day", () => {
  const rows: [text: string, isValid: boolean][] = [
    ["22:00-07:00", true],
    ["00:00-23:59", true],
    ["24:00-07:00", false],
    ["22:60-07:00", false],
    ["7:00-8:00", false],
    ["07:00-07:00", false],
    ["", false],
  ];
  for (const [text, isValid] of rows) assert.equal(parseQuietHours(text) !== undefined, isValid, text);
});
