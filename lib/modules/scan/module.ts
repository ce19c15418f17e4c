import { module, provide } from "../../core/extension/module.ts";
import { scanStandings } from "../../core/extension/scan-standings.ts";
import { toolInspector } from "../../core/extension/tool-inspector.ts";
import { scanChecks } from "./checks.ts";
import { config } from "./config.ts";
import { earlierScans } from "./earlier-scans.ts";
import { faults } from "./faults.ts";
import { followScans } from "./follow.ts";
import { followIntegrity } from "./follow-integrity.ts";
import { forgetBaseline } from "./integrity.ts";
import { knownStanding, readStandings } from "./standing.ts";
import { createScans } from "./tool-scans.ts";

export default module("scan", {
  config,
  faults,
  needs: ["isolation", "lock", "packages"],
  doctorChecks: scanChecks,
  provides: [
    provide(toolInspector, (app) => createScans(app.part(earlierScans))),
    provide(scanStandings, (app) => ({
      standingOf: (server) => knownStanding(app, server),
      refresh: (caller) => readStandings(app, caller),
      forget: (server) => forgetBaseline(app, server),
    })),
  ],
  start(app) {
    const ends = [followScans(app), followIntegrity(app)];
    return () => Promise.all(ends.map((end) => end()));
  },
});
