import { module } from "../../core/extension/module.ts";
import { metrics } from "../metrics/state.ts";
import { config } from "./config.ts";
import { faults } from "./faults.ts";
import { sandbox } from "./state.ts";

export default module("code", {
  config,
  faults,
  needs: ["metrics"],
  start: (app) =>
    app.part(metrics).addSource(({ scriptsActive, scriptsWaiting }) => {
      const { running, waiting } = app.part(sandbox).facts();
      scriptsActive.set(running);
      scriptsWaiting.set(waiting);
    }),
});
