import { module } from "../../core/extension/module.ts";
import { lockViolation } from "./enforce.ts";

export default module("lock", {
  needs: ["isolation", "packages"],
  policy: (app) => (server, tool) => lockViolation(app, server, tool),
});
