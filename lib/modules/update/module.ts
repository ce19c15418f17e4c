import { module } from "../../core/extension/module.ts";
import { updateChecks } from "./checks.ts";
import { updates } from "./state.ts";

export default module("update", {
  doctorChecks: updateChecks,
  start(app) {
    app.part(updates);
    return () => {};
  },
});
