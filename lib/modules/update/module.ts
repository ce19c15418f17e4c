import { module } from "../../core/extension/module.ts";
import { updates } from "./state.ts";

export default module("update", {
  start(app) {
    app.part(updates);
    return () => {};
  },
});
