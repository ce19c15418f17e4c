import { module } from "../../core/extension/module.ts";
import { config } from "./config.ts";
import { lockViolation } from "./enforce.ts";
import { faults } from "./faults.ts";

export default module("lock", {
  config,
  faults,
  needs: ["isolation", "packages"],
  policy: (app) => (server, item) => lockViolation(app, server, item),
});
