import { stat } from "node:fs/promises";
import type { App } from "../../../core/app.ts";
import type { DoctorFinding } from "../../../core/schema/doctor-shapes.ts";

/** A clock before this date is wrong. */
const EARLIEST_MS = Date.UTC(2026, 0, 1);
/** A record this far ahead of the clock means that the clock went back. (ms) */
const AHEAD_MS = 5 * 60_000;

/** Checks the running program: its executable, the clock and the search index. */
export async function program(app: App): Promise<DoctorFinding[]> {
  const found: DoctorFinding[] = await clock(app);
  const file = await stat(process.execPath).catch(() => undefined);
  if (!file || file.mtimeMs > app.boot.startedAt)
    found.push({
      code: "executable_replaced",
      severity: "warning",
      title: `${process.execPath} was ${file ? "replaced" : "removed"} since the proxy started`,
      detail: `Version ${app.boot.version} keeps running.`,
      remedy: { action: "Restart the proxy" },
    });
  if (!app.catalog.ready)
    found.push({ code: "index_building", severity: "info", title: "The proxy is still building the index of tools" });
  return found;
}

async function clock(app: App): Promise<DoctorFinding[]> {
  const now = app.clock.now();
  const [newest] = (await app.store.activity.select({}, { limit: 1 })).records;
  const back = newest !== undefined && newest.at > now + AHEAD_MS;
  if (now >= EARLIEST_MS && !back) return [];
  const says = new Date(now).toISOString();
  return [
    {
      code: "clock_wrong",
      severity: "warning",
      title: `The clock of this machine shows ${says}`,
      detail: back
        ? `There are records from ${new Date(newest.at).toISOString()}. The expiry and order of records depend on the clock.`
        : "The expiry and order of records depend on the clock.",
      remedy: { action: "Set the clock" },
    },
  ];
}
