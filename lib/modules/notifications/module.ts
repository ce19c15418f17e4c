import { module } from "../../core/extension/module.ts";
import { notificationChecks } from "./checks.ts";
import { config } from "./config.ts";
import { faults } from "./faults.ts";
import { notifications } from "./state.ts";

export default module("notifications", {
  config,
  faults,
  needs: ["metrics", "sinks"],
  doctorChecks: notificationChecks,
  start: (app) => app.part(notifications).start(),
});
