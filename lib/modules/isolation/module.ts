import { launcher } from "../../core/extension/launcher.ts";
import { module, provide } from "../../core/extension/module.ts";
import { isolationChecks } from "./checks.ts";
import { config } from "./config.ts";
import { containersWanted } from "./create.ts";
import { containerEngine, serverIsolation } from "./state.ts";

export default module("isolation", {
  config,
  doctorChecks: isolationChecks,
  provides: [provide(launcher, (app) => app.part(serverIsolation))],
  start: (app) =>
    app.part(containerEngine).follow(
      () => app.boot.automatic && containersWanted(app.config),
      () => app.upstreams.retry("the container engine is available again"),
    ),
});
