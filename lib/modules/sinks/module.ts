import { module } from "../../core/extension/module.ts";
import { sinkChecks } from "./checks.ts";
import { config } from "./config.ts";
import { faults } from "./faults.ts";
import { recordSinks } from "./state.ts";

export default module("sinks", {
  config,
  faults,
  needs: ["audit", "metrics"],
  doctorChecks: sinkChecks,
  start: (app) => app.part(recordSinks).start(),
});
