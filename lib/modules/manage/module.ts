import { module } from "../../core/extension/module.ts";

export default module("manage", { needs: ["doctor", "registry", "scan"] });
