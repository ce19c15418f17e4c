import { module } from "../../core/extension/module.ts";
import { updateChecks } from "./checks.ts";
import { config } from "./config.ts";
import { updates } from "./state.ts";

export default module("update", {
  config,
  doctorChecks: updateChecks,
  start(app) {
    app.part(updates);
    return () => {};
  },
});
