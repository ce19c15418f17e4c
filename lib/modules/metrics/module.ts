import { module } from "../../core/extension/module.ts";
import { metricsChecks } from "./checks.ts";
import { config } from "./config.ts";
import { faults } from "./faults.ts";
import { metrics } from "./state.ts";

export default module("metrics", {
  config,
  faults,
  doctorChecks: metricsChecks,
  start: (app) => app.part(metrics).start(),
});
