import { module } from "../../core/extension/module.ts";

export default module("doctor", {
  needs: ["isolation", "oauth", "vault"],
});
