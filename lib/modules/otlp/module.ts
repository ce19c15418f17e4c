import { module } from "../../core/extension/module.ts";
import { otlpChecks } from "./checks.ts";
import { config } from "./config.ts";
import { otlp } from "./state.ts";

export default module("otlp", {
  config,
  needs: ["metrics"],
  doctorChecks: otlpChecks,
  start: (app) => app.part(otlp).start(),
});
