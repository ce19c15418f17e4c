import { module } from "../../core/extension/module.ts";

export default module("doctor", {
  needs: ["audit", "isolation", "oauth", "registry", "scan", "team", "tls", "update", "vault"],
});
